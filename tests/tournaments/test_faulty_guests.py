"""Remote entrants that fall silent, vanish or are there twice in mid-game: each game is played once, and told right."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
import trio
from guests import first, guest, remote
from programs import PATIENCE, tournament
from test_hall import blocks, hall_of

from arena.records import read_record, verify
from arena.server.lag import LagMeter
from clients import Client, Refused, WireRequest
from protocol import ServerMessage
from protocol.messages import Clock, Events, Request
from tournaments.entrants import Door
from tournaments.hall import Hall
from tournaments.schedules import Pairing
from tournaments.store import Played
from tournaments.worker import Problem

THIRD = 3  # the request at which Eve does something else
OTHERS = ("Flo", "Gus")
SHORT = Clock(move=0.1, bank=0.2, grace=0.1)
LONG = Clock(move=PATIENCE, grace=0.1)


@pytest.fixture(autouse=True)
def _busy(monkeypatch: pytest.MonkeyPatch) -> None:
    """No block is played again because this machine is busy."""
    monkeypatch.setattr(LagMeter, "stalled_since", lambda *_: False)


class Gone(Exception):
    """Eve's program has ended without a word, and with all that it knew."""


class Eve(Client):
    """She does what the test says at her third request, and does not answer in the games of `mute`."""

    def __init__(self, hall: Hall, then: Callable[[Eve], Awaitable[None]]) -> None:
        super().__init__(guest("Eve", hall.address).settings, first)
        self.hall = hall
        self.game = ""
        self.mute: set[str] = set()
        self._then = then
        self._asked = 0

    async def vanish(self) -> None:
        assert self._connection is not None
        await self._connection.aclose()
        raise Gone

    async def asked(self, message: Request, nursery: trio.Nursery) -> None:
        self._asked += 1
        self.game = message.game
        if self._asked == THIRD:
            await self._then(self)
        if message.game not in self.mute:
            await super().asked(message, nursery)


class Evening:
    """A tournament of three guests at tables of two, whose blocks are all wanted at once.

    When the others hear that a seat was given up they wait with their answers until `go_on` is set.
    """

    def __init__(self, folder: Path, clock: Clock = LONG, wait: float = PATIENCE) -> None:
        door = Door(port=0, wait=wait, resume=0.2)
        self.what = tournament(folder, remote("Eve"), *map(remote, OTHERS), door=door, clock=clock)
        self.given_up = trio.Event()
        self.go_on = trio.Event()
        self.results: list[Played] = []
        self.problems: list[Problem] = []

    async def play(self, eve: Callable[[Hall], Awaitable[object]]) -> None:
        async with hall_of(self.what) as (hall, nursery):
            for name in OTHERS:
                other = Client(guest(name, hall.address).settings, self._choose, self._hear)
                nursery.start_soon(other.run)
            nursery.start_soon(eve, hall)
            while not all(map(hall._is_here, ("Eve", *OTHERS))):
                await hall._server.clients.next_login()
            async with trio.open_nursery() as tables:
                for block in blocks(self.what):
                    tables.start_soon(self._table, hall, block)

    async def _table(self, hall: Hall, block: list[Pairing]) -> None:
        results, problems = await hall.play(block)
        self.results += results
        self.problems += problems

    def _hear(self, message: ServerMessage) -> None:
        if isinstance(message, Events) and any(event["event"] == "retired" for event in message.events):
            self.given_up.set()

    async def _choose(self, request: WireRequest) -> int:
        if self.given_up.is_set():
            await self.go_on.wait()
        return 0

    def check(self, lost: str = "", reason: str = "") -> None:
        """Every game is there, once; Eve is last in the one that she has lost, and nothing else is wrong."""
        assert self.problems == []
        scheduled = [pairing.id for block in blocks(self.what) for pairing in block]
        assert sorted(played.id for played in self.results) == sorted(scheduled)
        assert len(list(self.what.folder.glob("games/*"))) == len(scheduled)
        self.check_results(lost, reason)

    def check_results(self, lost: str, reason: str) -> None:
        for played in self.results:
            verify(read_record(self.what.folder / played.record))
            reasons = dict(zip(played.entrants, played.reasons, strict=True))
            if played.id == lost:
                assert reasons.pop("Eve") == reason
                assert played.places[played.entrants.index("Eve")] == 2
            assert set(reasons.values()) == {"normal"}


@pytest.mark.trio
async def test_one_that_falls_silent_loses_that_game_and_plays_the_next(tmp_path: Path) -> None:
    evening = Evening(tmp_path, SHORT)
    evening.go_on.set()

    async def fall_silent(eve: Eve) -> None:
        await trio.lowlevel.checkpoint()
        eve.mute.add(eve.game)
        lost.append(eve.game)

    lost: list[str] = []
    await evening.play(lambda hall: Eve(hall, fall_silent).run())
    evening.check(lost[0], "timeout")


@pytest.mark.trio
async def test_one_that_stands_still_with_its_connection_is_waited_for_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a program that is stopped: it answers neither requests nor `start`, so it counts as one that has gone."""
    monkeypatch.setattr("tournaments.hall.LOGIN", 0.5)
    evening = Evening(tmp_path, SHORT, wait=0.3)
    evening.go_on.set()

    async def stand_still(eve: Eve) -> None:
        lost.append(eve.game)
        await trio.sleep_forever()

    lost: list[str] = []
    await evening.play(lambda hall: Eve(hall, stand_still).run())
    evening.check_results(lost[0], "timeout")
    assert sorted(played.id == lost[0] for played in evening.results) == [False, False, True]
    assert [problem.absent for problem in evening.problems] == ["Eve", "Eve"]
    first, second = (problem.text for problem in evening.problems)
    assert first == "Eve came, but did not get ready within 0.5 s"
    assert second == "Eve did not come: it was waited for, 0.3 s, and did not log in"


@pytest.mark.trio
@pytest.mark.parametrize("when", ["while the lost game is played", "when it is over"])
async def test_one_that_comes_back_after_its_seat_was_given_up_plays_the_next(
    tmp_path: Path, when: str
) -> None:
    """As a program that was started anew: it has its token and no key."""
    evening = Evening(tmp_path)

    async def eve(hall: Hall) -> None:
        with pytest.raises(Gone):
            await (gone := Eve(hall, Eve.vanish)).run()
        lost.append(gone.game)
        await evening.given_up.wait()
        if when == "when it is over":
            evening.go_on.set()
            await hall._server.games[gone.game].finished.wait()
        again = guest("Eve", hall.address)
        await Client(again.settings, first, lambda message: evening.go_on.set()).run()

    lost: list[str] = []
    await evening.play(eve)
    evening.check(lost[0], "disconnect")


@pytest.mark.trio
async def test_one_that_is_there_twice_plays_once(tmp_path: Path) -> None:
    """The second is refused while the first lives, and goes on with its game, as its token says that it may."""
    evening = Evening(tmp_path)

    async def copied(eve: Eve) -> None:
        with pytest.raises(Refused, match="the name Eve is in use"):
            await guest("Eve", eve.hall.address).run()
        await eve.vanish()

    async def eve(hall: Hall) -> None:
        with pytest.raises(Gone):
            await Eve(hall, copied).run()
        while True:  # until the server knows that the first is gone
            try:
                await guest("Eve", hall.address).run()
            except Refused:
                continue
            else:
                return

    await evening.play(eve)
    evening.check()
