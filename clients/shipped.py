"""What `arena bot` plays with: a new shipped bot for each game, seeded by the seat's luck."""

from __future__ import annotations

from collections.abc import Callable

from clients.answering import WireRequest
from clients.bots import Bot
from protocol import ErrorCode, ServerMessage
from protocol.messages import End, Error, Start


class OnePerGame:
    """Bots by game. A game that starts again under its id, because it was broken off, gets a new one."""

    def __init__(self, make: Callable[[int], Bot], seed: int | None = None) -> None:
        """`seed` is that of each bot; without it the luck that the server tells the seat."""
        self._make = make
        self._seed = seed
        self._bots: dict[str, Bot] = {}
        self._running: set[str] = set()

    def choose(self, request: WireRequest) -> int:
        """What the game's own bot answers."""
        bot = self._bots.get(request.game)
        if bot is None:
            bot = self._bots[request.game] = self._make(request.luck if self._seed is None else self._seed)
        return bot.choose(request)

    def heard(self, message: ServerMessage) -> None:
        """Follow which games run; a lost connection that is resumed tells `start` once more."""
        match message:
            case Start(seat=int()) if message.game not in self._running:
                self._running.add(message.game)
                for over in self._bots.keys() - self._running | {message.game}:
                    self._bots.pop(over, None)  # also that of a question which was answered after the end
            case End():
                self._running.discard(message.game)
            case Error(code=ErrorCode.BAD_RESUME):  # the games are lost
                self._running.clear()
