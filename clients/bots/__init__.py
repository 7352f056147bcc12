"""The shipped bots. A bot is one function from a request to the index of an option.

    bot = make_bot("greedy", seed=1)
    while not game.over:
        seat = game.to_act[0]
        game.choose(seat, bot.choose(LocalRequest(game, seat)))

A bot knows the request and nothing else: not the game, no clock but the request's, no global random numbers. The
same seed and the same requests give the same answers, so every game can be repeated; with `search` that is so as
long as the clock leaves it time enough.
"""

from clients.bots.greedy import GreedyBot
from clients.bots.heuristic import HeuristicBot
from clients.bots.random_bot import RandomBot
from clients.bots.request import Bot, BotFactory, LocalRequest, Request
from clients.bots.search import SearchBot

BOTS: dict[str, BotFactory] = {
    "random": RandomBot,
    "greedy": GreedyBot,
    "heuristic": HeuristicBot,
    "search": SearchBot,
}
"""What makes each shipped bot from a seed, by name."""


class UnknownBot(ValueError):
    """No shipped bot has this name."""


def factory_of(name: str) -> BotFactory:
    """What makes the shipped bot of this name; raises `UnknownBot`."""
    factory = BOTS.get(name)
    if factory is None:
        raise UnknownBot(f"there is no bot {name[:40]!r}; the shipped ones are {', '.join(BOTS)}")
    return factory


def make_bot(name: str, seed: int) -> Bot:
    """A new bot for one seat of one game; raises `UnknownBot`."""
    return factory_of(name)(seed)


__all__ = ["BOTS", "Bot", "BotFactory", "LocalRequest", "Request", "UnknownBot", "factory_of", "make_bot"]
