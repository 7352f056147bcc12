"""Bots written for `clients.run`, as commands of a tournament."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
import trio
from programs import PATIENCE, playing, tournament

from arena.records import read_record
from tournaments.config import Tournament
from tournaments.entrants import Entrant
from tournaments.host import Host, NotStarted
from tournaments.schedules import pairings
from tournaments.store import LOGS

ROOT = Path(__file__).parents[2]
HOME = (("PYTHONPATH", str(ROOT)),)

SAMPLER = """
from clients import run

def choose(request):
    return request.sample(1).decision(request.seat).default

run(choose, name="sampler", samples=True)
"""


def liker() -> Entrant:
    """The bot of docs/bots.md, as it stands there."""
    return Entrant("Ada", command=(sys.executable, str(ROOT / "clients/examples/bot.py")), environment=HOME)


def sampler(samples: bool) -> Entrant:
    return Entrant("Bo", command=(sys.executable, "-c", SAMPLER), environment=HOME, samples=samples)


def log(what: Tournament, number: int) -> str:
    (file,) = (what.folder / LOGS).rglob(f"{number:03d}-*.log")
    return file.read_text()


@pytest.mark.trio
async def test_bots_that_play_on_a_server_play_as_commands_too(tmp_path: Path) -> None:
    what = tournament(tmp_path, liker(), sampler(samples=True))
    with trio.fail_after(PATIENCE):
        async with Host.open(what, "x") as host:
            played = [await host.play(pairing) for pairing in pairings(what.schedule())]
    for each in played:
        assert each.reasons == ("normal", "normal")
        assert not any(choice.fault for choice in read_record(what.folder / each.record).choices)
    results = re.findall(r"^\w+: places \((.*)\), credits", log(what, 1), flags=re.MULTILINE)
    assert results == [", ".join(map(str, each.places)) for each in played]


@pytest.mark.trio
async def test_bot_that_needs_samples_and_gets_none_says_so_and_has_no_result(tmp_path: Path) -> None:
    what = tournament(tmp_path, playing("Ada"), sampler(samples=False))
    with trio.fail_after(PATIENCE):
        async with Host.open(what, "x") as host:
            with pytest.raises(NotStarted):
                await host.play(next(iter(pairings(what.schedule()))))
    assert "sampler: this bot needs samples, and its bridge asks for none; give" in log(what, 2)
