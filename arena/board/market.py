"""What belongs to nobody: Supply Island or Tokyo Port, the piles, the Commodity Market, what powers have changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.text import Text

from arena.board.cards import Cards, badge
from arena.board.lines import Block, Brush, joined, named, words
from arena.describe import count_text


def market(
    view: Mapping[str, Any], names: Sequence[str], cards: Cards, brush: Brush, width: int, most: int
) -> Block:
    """The block in lines of at most this width, with at most so many lines for the cards."""
    if "columns" in view:
        tokyo = [
            words(
                (f"{count_text(column['credits'], 'credit')} ", "bold"), joined(cards.each(column["cards"]))
            )
            for column in view["columns"]
        ]
        block = named("Tokyo Port", tokyo, width, most, "   ")
    else:
        block = named("Island", cards.each(view["island"]), width, most)
    block += named("piles", piles(view, cards), width, most, "   ")
    notes = notes_of(view, names)
    if notes:
        block += brush.wrapped(words(("; ".join(notes), "italic")), width, most)
    return block


def piles(view: Mapping[str, Any], cards: Cards) -> list[Text]:
    """The sizes of the piles with what lies on top, and the markers of the Commodity Market."""
    shown = [pile("draw", view["pile"], view.get("top"), cards)]
    shown.append(pile("discard", view["discard"], view["top_discard"], cards))
    if "market" in view:
        shown.append(words(("market ", "dim"), tally(view["market"], plus=True)))
    if "tokens" in view:
        shown.append(words(("Containers out ", "dim"), tally(view["tokens"])))
    return shown


def pile(name: str, size: int, top: str | None, cards: Cards) -> Text:
    """How many cards there are, and the one on top if it is seen."""
    return words((f"{name} ", "dim"), str(size), *((" top ", cards.card(top)) if top is not None else ()))


def tally(counts: Mapping[str, int], *, plus: bool = False) -> Text:
    """A number for each type."""
    return joined(
        (
            words(badge(kind), f"{count:+d}" if plus and count else f"{count}")
            for kind, count in counts.items()
        ),
        " ",
    )


def notes_of(view: Mapping[str, Any], names: Sequence[str]) -> list[str]:
    """What holds for everybody."""
    notes = [f"the end is triggered by {view['ending']}"] if view.get("ending") else []
    if "piracy_ban" in view:
        notes.append(f"no Piracy until {names[view['piracy_ban']]} leads")
    return notes
