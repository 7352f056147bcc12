"""The contract powers, in modules by what they touch. Importing this package registers all of them.

To add a power: write a function or a frame class whose docstring is the effect, decorate it with the hook
that it listens to (`arena.game.hooks`), and take its id out of `inert.INERT`.
"""

from arena.game.powers import (
    announcing,
    anytime,
    containers,
    contracting,
    counting,
    credits,
    deck,
    drawing,
    elsewhere,
    final,
    fulfilled,
    hands,
    importing,
    imports,
    income,
    loading,
    moving,
    others,
    piracy,
    plunder,
    rivals,
    sailing,
    ships,
    turns,
)

__all__ = [
    "announcing",
    "anytime",
    "containers",
    "contracting",
    "counting",
    "credits",
    "deck",
    "drawing",
    "elsewhere",
    "final",
    "fulfilled",
    "hands",
    "importing",
    "imports",
    "income",
    "loading",
    "moving",
    "others",
    "piracy",
    "plunder",
    "rivals",
    "sailing",
    "ships",
    "turns",
]
