"""The rules of Import / Export: pure, no I/O, no clock.

from arena.game import Game, Options

game = Game.new(Options(players=4), seed=7)
while not game.over:
    for seat in game.to_act:                 # one seat, or all bidders at once
        decision = game.decision(seat)       # .kind .options .default
        game.choose(seat, decision.default)  # an index
print(game.result)                           # places, credits, why it ended
"""

from arena.game import powers as powers
from arena.game.catalogue import Catalogue, default_catalogue
from arena.game.choices import Decision, Option
from arena.game.errors import ChoiceError, GameError, OptionsError, OptionTextError, PositionError
from arena.game.events import Event
from arena.game.game import Game
from arena.game.setup import Options
from arena.game.state import Result

__all__ = [
    "Catalogue",
    "ChoiceError",
    "Decision",
    "Event",
    "Game",
    "GameError",
    "Option",
    "OptionTextError",
    "Options",
    "OptionsError",
    "PositionError",
    "Result",
    "default_catalogue",
]
