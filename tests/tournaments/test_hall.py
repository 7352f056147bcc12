"""Blocks with remote entrants, who log in over real sockets."""

from __future__ import annotations

import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
import trio
from guests import first, guest, remote, token_of
from programs import PATIENCE, crashing, playing, tournament
from trustme import CA

from arena.records import read_record, verify
from arena.server.lag import LagMeter
from clients import Client, Refused, WireRequest, bridge
from protocol.messages import Join, Wanted
from tournaments.config import Tournament
from tournaments.entrants import Door
from tournaments.hall import Hall, NoHall
from tournaments.host import record_of
from tournaments.schedules import Pairing, pairings
from tournaments.worker import Outcome


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bridge, "LAST_WORDS", 0.3)


def guests_of(folder: Path, *entrants: object, wait: float = PATIENCE, **more: object) -> Tournament:
    return tournament(folder, *entrants, door=Door(port=0, wait=wait, resume=0.3), **more)  # type: ignore[arg-type]


def blocks(what: Tournament) -> list[list[Pairing]]:
    found: dict[str, list[Pairing]] = {}
    for pairing in pairings(what.schedule()):
        found.setdefault(pairing.block, []).append(pairing)
    return list(found.values())


@asynccontextmanager
async def hall_of(
    what: Tournament, told: list[str] | None = None
) -> AsyncIterator[tuple[Hall, trio.Nursery]]:
    """A hall, and a nursery for its guests, who end with it."""
    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as nursery:
            async with Hall.open(what, 2, (told if told is not None else []).append) as hall:
                yield hall, nursery
                hall.over = True
            nursery.cancel_scope.cancel()


async def play(what: Tournament, *guests: str) -> Outcome:
    """The first block, with these guests."""
    async with hall_of(what) as (hall, nursery):
        for name in guests:
            nursery.start_soon(guest(name, hall.address).run)
        return await hall.play(blocks(what)[0])


@pytest.mark.trio
async def test_guest_plays_all_games_of_a_block_against_a_program(tmp_path: Path) -> None:
    what = guests_of(tmp_path, playing("Ada"), remote("Eve"))
    results, problems = await play(what, "Eve")
    assert problems == []
    assert [played.reasons for played in results] == [("normal", "normal")] * 2
    record = read_record(what.folder / results[0].record)
    verify(record)
    assert set(record.header.seats) == {"Ada", "Eve"}
    assert record.header.clock["grace"] == what.clock.grace


@pytest.mark.trio
async def test_recorded_block_needs_nobody(tmp_path: Path) -> None:  # S041
    what = guests_of(tmp_path, remote("Eve"), remote("Flo"))
    played, _ = await play(what, "Eve", "Flo")
    assert await play(what) == ([replace(each, ends=()) for each in played], [])


@pytest.mark.trio
async def test_one_that_never_comes_has_no_result_and_is_named(tmp_path: Path) -> None:  # S039
    what = guests_of(tmp_path, playing("Ada", first=f"touch {tmp_path}/started"), remote("Eve"), wait=0.05)
    told: list[str] = []
    async with hall_of(what, told) as (hall, _):
        results, problems = await hall.play(blocks(what)[0])
    assert results == []
    assert [(problem.absent, problem.text) for problem in problems] == [
        ("Eve", "Eve did not come: it was waited for, 0.05 s, and did not log in")
    ]
    assert told == ["waiting for Eve, 0.05 s at most"]
    assert not (tmp_path / "started").exists()  # no program is kept waiting
    assert not record_of(what, blocks(what)[0][0]).exists()


@pytest.mark.trio
@pytest.mark.parametrize(
    ("name", "token", "said"),
    [
        ("Eve", "the-token-of-nobody", "is not, or no longer, the one of the name Eve"),
        ("Eve", None, "needs its token"),
        ("Ada", token_of("Eve"), "is not, or no longer, the one of the name Ada"),
        ("Stranger", None, "needs its token"),
    ],
)
async def test_who_has_not_the_token_is_refused(
    tmp_path: Path, name: str, token: str | None, said: str
) -> None:
    async with hall_of(guests_of(tmp_path, playing("Ada"), remote("Eve"))) as (hall, _):
        with pytest.raises(Refused, match=said):
            await guest(name, hall.address, token=token).run()


@pytest.mark.trio
async def test_second_login_with_one_token_is_refused_while_the_first_lives(tmp_path: Path) -> None:
    what = guests_of(tmp_path, remote("Eve"), remote("Flo"))
    async with hall_of(what) as (hall, nursery):
        nursery.start_soon(guest("Eve", hall.address).run)
        await hall._attendance.gather(["Eve"])
        with pytest.raises(Refused, match="the name Eve is in use"):
            await guest("Eve", hall.address).run()


@pytest.mark.trio
async def test_nobody_opens_a_table_of_its_own(tmp_path: Path) -> None:
    """What is played is what is scheduled; else a guest could fill the folder with records."""
    async with hall_of(guests_of(tmp_path, playing("Ada"), remote("Eve"))) as (hall, _):
        for join in (Join(wanted=Wanted(seats=2)), Join(table="t-1")):
            with pytest.raises(Refused, match="this server seats its players itself"):
                await guest("Eve", hall.address, join=join).run()


class Leaving(Client):
    """It ends its connection, or the program, at the n-th request, once."""

    at = 3

    async def asked(self, message: object, nursery: trio.Nursery) -> None:
        self.at -= 1
        if self.at == 0:
            assert self._connection is not None
            await self._connection.aclose()
        await super().asked(message, nursery)  # type: ignore[arg-type]


@pytest.mark.trio
async def test_lost_connection_is_resumed_and_costs_nothing(tmp_path: Path) -> None:
    what = guests_of(tmp_path, playing("Ada"), remote("Eve"))
    async with hall_of(what) as (hall, nursery):
        settings = guest("Eve", hall.address).settings
        nursery.start_soon(Leaving(settings, first).run)
        results, problems = await hall.play(blocks(what)[0])
    assert problems == []
    assert [played.reasons for played in results] == [("normal", "normal")] * 2


@pytest.mark.trio
async def test_one_that_leaves_for_good_is_retired_and_the_next_game_waits_for_it(tmp_path: Path) -> None:
    what = guests_of(tmp_path, playing("Ada"), remote("Eve"), wait=0.05)
    asked = 0

    def leaving(request: WireRequest) -> int:
        nonlocal asked
        asked += 1
        if asked == 3:
            raise ZeroDivisionError
        return 0

    async with hall_of(what) as (hall, nursery):

        async def run() -> None:
            with pytest.raises(ZeroDivisionError):
                await guest("Eve", hall.address, leaving).run()

        nursery.start_soon(run)
        await hall._attendance.gather(["Eve"])
        results, problems = await hall.play(blocks(what)[0])
    (played,) = results
    seat = played.entrants.index("Eve")
    assert (played.reasons[seat], played.places[seat]) == ("disconnect", 2)
    assert played.reasons[1 - seat] == "normal"
    assert [problem.absent for problem in problems] == ["Eve"]


@pytest.mark.trio
async def test_one_that_does_not_get_ready_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tournaments.hall.LOGIN", 0.05)
    what = guests_of(tmp_path, remote("Eve"), remote("Flo"))

    class Deaf(Client):
        async def _handle(self, message: object, nursery: trio.Nursery) -> None:
            if getattr(message, "type", "") != "start":
                await super()._handle(message, nursery)  # type: ignore[arg-type]

    async with hall_of(what) as (hall, nursery):
        nursery.start_soon(guest("Flo", hall.address).run)
        nursery.start_soon(Deaf(guest("Eve", hall.address).settings, first).run)
        results, problems = await hall.play(blocks(what)[0])
    assert results == []
    assert [(problem.absent, problem.text.split(",")[0]) for problem in problems] == [("Eve", "Eve came")]


@pytest.mark.trio
async def test_program_plays_at_two_tables_at_once_under_its_own_name(tmp_path: Path) -> None:
    what = guests_of(tmp_path, playing("Ada"), remote("Eve"), remote("Flo"))
    both = [block for block in blocks(what) if "Ada" in block[0].seating]
    outcomes: list[Outcome] = []
    async with hall_of(what) as (hall, nursery):
        for name in ("Eve", "Flo"):
            nursery.start_soon(guest(name, hall.address).run)

        async def run(block: list[Pairing]) -> None:
            outcomes.append(await hall.play(block))

        async with trio.open_nursery() as tables:
            for block in both:
                tables.start_soon(run, block)
    assert [problems for _, problems in outcomes] == [[], []]
    for results, _ in outcomes:
        for played in results:
            assert "Ada" in played.entrants
            assert set(played.reasons) == {"normal"}


@pytest.mark.trio
async def test_crash_of_a_program_costs_its_guest_nothing(tmp_path: Path) -> None:  # S058
    what = guests_of(tmp_path, crashing("Ada", 4), remote("Eve"))
    results, problems = await play(what, "Eve")
    assert problems == []
    for played in results:
        assert dict(zip(played.entrants, played.reasons, strict=True)) == {"Ada": "crash", "Eve": "normal"}


@pytest.mark.trio
async def test_block_in_which_the_machine_stood_still_is_played_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = iter([True])
    monkeypatch.setattr(LagMeter, "stalled_since", lambda *_: next(answers, False))
    what = guests_of(tmp_path, remote("Eve"), remote("Flo"))
    results, problems = await play(what, "Eve", "Flo")
    assert (len(results), problems) == (2, [])
    assert len(list(what.folder.glob("games/*.broken-1"))) == 2


@pytest.mark.trio
async def test_guests_of_a_run_that_is_broken_off_come_back_to_the_next(tmp_path: Path) -> None:
    """Those of one that is over are told to go, and end."""
    what = guests_of(tmp_path, remote("Eve"), remote("Flo"))
    ended: list[str] = []
    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as nursery:

            async def run(client: Client) -> None:
                await client.run()
                ended.append(client.settings.name)

            async with Hall.open(what, 1, ended.append) as hall:
                address = hall.address
                for name in ("Eve", "Flo"):
                    nursery.start_soon(run, guest(name, address))
                await hall._attendance.gather(["Eve", "Flo"])
                ended.clear()
            assert ended == []
            again = replace(what, door=replace(what.door, port=int(address.rpartition(":")[2])))
            async with Hall.open(again, 1, lambda text: None) as hall:
                results, problems = await hall.play(blocks(what)[0])
                hall.over = True
    assert (len(results), problems) == (2, [])
    assert sorted(ended) == ["Eve", "Flo"]


@pytest.mark.trio
async def test_guests_can_speak_tls_while_programs_need_not(tmp_path: Path) -> None:
    ca = CA()
    ca.issue_cert("127.0.0.1").private_key_and_cert_chain_pem.write_to_path(tmp_path / "both.pem")
    context = ssl.create_default_context()
    ca.configure_trust(context)
    file = tmp_path / "both.pem"
    what = tournament(tmp_path, playing("Ada"), remote("Eve"), door=Door(port=0, cert=file, key=file))
    async with hall_of(what) as (hall, nursery):
        nursery.start_soon(guest("Eve", hall.address, tls=context).run)
        results, problems = await hall.play(blocks(what)[0])
    assert (len(results), problems) == (2, [])


@pytest.mark.trio
async def test_address_that_is_taken_is_told(tmp_path: Path) -> None:
    what = guests_of(tmp_path, remote("Eve"), remote("Flo"))
    async with hall_of(what) as (hall, _):
        port = int(hall.address.rpartition(":")[2])
        other = replace(what, door=Door(port=port))
        with pytest.RaisesGroup(pytest.RaisesExc(NoHall, match="another program listens there; stop it, or")):
            async with Hall.open(other, 1, lambda text: None):
                pass
