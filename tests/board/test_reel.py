"""A record as moments for the board: the same picture as of the game, also while the record is written."""

from __future__ import annotations

from contextlib import closing
from io import StringIO
from pathlib import Path
from random import Random

import pytest
from rich.console import Console

from arena.board import Board
from arena.cli.reel import Reel
from arena.game import Game, Options, default_catalogue
from arena.picture import asked, table
from arena.records import Journal, finished
from arena.web.viewpoints import PUBLIC, Viewpoint
from protocol import EndReason
from tests.records.recorded import header

SETS = ("capital", "tokyo", "kickstarter", "kickstarter2", "j", "flag")


def drawn(board: Board) -> str:
    out = StringIO()
    Console(file=out, width=120, height=50).print(board)
    return out.getvalue()


@pytest.mark.parametrize("viewpoint", [PUBLIC, Viewpoint(seat=1)], ids=str)
def test_record_that_is_written_shows_each_moment_as_the_live_game_does(
    tmp_path: Path, viewpoint: Viewpoint
) -> None:
    options = Options(players=3, sets=SETS, market=True)
    path, pick = tmp_path / "g1.jsonl", Random(4)
    game = Game.new(options, 7)
    seen = compared = 0
    with (
        Journal.create(path, header(3, options=options)) as journal,
        closing(Reel(path, viewpoint, default_catalogue())) as reel,
    ):
        while not game.over:
            seat = game.to_act[0]
            journal.play(game, seat, pick.randrange(len(game.decision(seat).options)))
            if not reel.reaches(seen + 1):
                continue  # nothing that this viewpoint sees
            seen += 1
            if game.over or journal.choices % 7:
                continue
            assert reel.grows
            live = Board("g1", reel.header.seats)
            live.look(table(game, viewpoint.seat), asked(game))
            recorded = reel.board(seen)
            recorded.events.clear()
            recorded.history = live.history
            if not viewpoint.seat and len(game.asking) == len(game.to_act):
                assert drawn(recorded) == drawn(live)
                compared += 1
            assert recorded.view == live.view
        journal.result(finished(game, (EndReason.NORMAL,) * 3, journal.choices))
        assert not reel.reaches(seen + 1)
        assert reel.finished
        assert "the game is over" in drawn(reel.board(seen))
    assert viewpoint.seat or compared > 5
