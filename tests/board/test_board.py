"""The table in a terminal: complete where there is room, useful where there is little, and never broken."""

from __future__ import annotations

import re
from collections.abc import Sequence
from io import BytesIO, TextIOWrapper
from pathlib import Path
from random import Random
from typing import Any

import pytest
from rich.cells import cell_len
from rich.console import Console

from arena.board import Board
from arena.board.cards import LETTERS, house_cards
from arena.board.lines import UNICODE
from arena.board.race import KEPT, History, spark
from arena.describe import DECISIONS
from arena.game import Game, Options
from arena.picture import asked, table

EVERYTHING = {"sets": ("capital", "tokyo", "kickstarter", "j"), "market": True, "containers": "tokens"}
KINDS_OF_THE_PAGES = Path(__file__).parents[2] / "arena" / "web" / "static" / "kinds.js"
CARDS_OF_THE_PAGES = KINDS_OF_THE_PAGES.with_name("cards.js")


def drawn(
    board: Board, width: int = 100, height: int = 40, *, encoding: str = "utf-8", color: Any = None
) -> str:
    out = TextIOWrapper(BytesIO(), encoding, newline="")
    Console(file=out, width=width, height=height, force_terminal=True, color_system=color).print(board)
    out.seek(0)
    return out.read() if color else re.sub(r"\x1b\[[0-9;]*m", "", out.read())


def late_game(players: int, turn: int = 20, seed: int = 3, **options: Any) -> Game:
    """A game in which much has been played."""
    game = Game.new(Options(players=players, **options), seed=seed)
    pick = Random(1)
    while game.turn < turn and not game.over:
        for seat in game.to_act:
            game.choose(seat, pick.randrange(len(game.decision(seat).options)))
    assert not game.over
    return game


def board_of(game: Game, names: Sequence[str], seat: int | None = None, **options: Any) -> Board:
    board = Board("g1", names, **options)
    board.look(table(game, seat), asked(game))
    return board


NAMES = ["Alpha", "Beta", "Gamma", "Delta", "Epsilon", "Zeta"]


@pytest.mark.parametrize("players", [2, 4, 6])
@pytest.mark.parametrize(("width", "height"), [(40, 12), (80, 24), (120, 40), (200, 60), (400, 100)])
def test_every_size_has_whole_frames_and_all_credits(players: int, width: int, height: int) -> None:
    game = late_game(players, turn=30, **EVERYTHING)
    board = board_of(game, NAMES[:players])
    for number in range(1, 200):
        board.add(number, {"event": "turn", "turn": number, "lead": 0})
    lines = drawn(board, width, height).splitlines()
    assert len(lines) <= height
    assert all(cell_len(line) <= width for line in lines)
    text = "\n".join(lines)
    assert text.count("╭") == text.count("╮") == text.count("╰") == text.count("╯")
    assert all(line.count("│") % 2 == 0 for line in lines)
    for name, player in zip(NAMES, game.players, strict=False):
        assert re.search(rf"{name[:5]}.*\b{player.credits}\b", text)
    assert "  199  turn 199: Alpha leads" in text


def test_four_seats_are_told_whole_in_120_columns_and_40_lines() -> None:
    game = late_game(4, turn=8, seed=10)
    view = table(game, None)
    flat = " ".join(drawn(board_of(game, NAMES[:4]), 120, 40).replace("│", " ").split())
    told = [*view["island"], view["top_discard"]]
    for player in view["players"]:
        told += player["crew"] + player["goods"] + player["fulfilled"] + player["played"]
        assert f"{player['credits']}/50" in flat
        assert f"hand {player['hand']}" in flat
    for ship in view["ships"]:
        told += ship["contracts"] + ship["containers"]
    assert len(told) > 20
    for card in told:
        letter = LETTERS[house_cards().types_of(card)[0]]
        assert f"{letter} {card}" in flat  # the type is told without a colour too
    assert f"draw {view['pile']} discard {view['discard']}" in flat
    assert any(ship.get("slots") for ship in view["ships"])
    for ship in view["ships"]:
        for contract, needed, served in ship.get("slots", ()):
            sign = UNICODE.served if served else UNICODE.open
            letters = "*" if needed == "any" else "/".join(LETTERS[kind] for kind in needed.split("+"))
            assert re.search(rf"{contract} needs [^a-z]*{re.escape(letters)}{sign}", flat)


def test_powers_of_fulfilled_contracts_are_told_where_there_is_room() -> None:
    game = late_game(2)
    board = board_of(game, NAMES[:2])
    assert board.view is not None
    board.view["players"][0]["fulfilled"] = ["ammunition"]
    assert "Illegal good in the goods area pays you 2 credits" in " ".join(drawn(board, 200, 60).split())
    assert "ammunition" in drawn(board, 80, 24)


def test_own_hand_and_options_are_shown_and_no_other() -> None:
    game = late_game(3)
    seat = game.to_act[0]
    view = table(game, seat)
    text = drawn(board_of(game, NAMES[:3], seat), 120, 50)
    for card in view["hand"]:
        assert re.search(rf"hand .*{card}|│ .*{card}", text)
    assert f"0 {view['decision']['options'][0]} (default)" in text
    public = drawn(board_of(game, NAMES[:3]), 120, 50)
    assert "(default)" not in public


LONG = {
    "with blanks": "a name that is much too long for " * 2,
    "without blanks": "x" * 60,
    "wide": "漢" * 60,
    "emoji": "🚢" * 60,
    "markup": "[red]" * 12,
    "right to left": "\u05d0" * 60,
}


@pytest.mark.parametrize("width", [60, 80, 200])
@pytest.mark.parametrize("name", LONG.values(), ids=LONG)
def test_long_names_are_cut_and_credits_stay_visible(name: str, width: int) -> None:  # S067
    game = late_game(6)
    board = board_of(game, [name[:58] + str(seat) for seat in range(6)])
    board.add(1, {"event": "turn", "turn": 1, "lead": 0})
    lines = drawn(board, width).splitlines()
    assert all(cell_len(line) <= width for line in lines)
    for player in game.players:
        assert any(re.search(rf"\b{player.credits}\b", line) and name[:2] in line for line in lines)


@pytest.mark.parametrize(
    "name", ["\x1b[2J\x07", "[bold]x[/bold]", "<img src=x onerror=alert(1)>", ":smile:", "a\u202eb"]
)
def test_names_are_shown_as_text(name: str) -> None:  # S072
    board = board_of(late_game(2), [name, "other"])
    board.add(1, {"event": "sail", "seat": 0, "ship": 1})
    text = drawn(board, 200)
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert name.encode("unicode_escape").decode()[:10] in text


def test_fields_of_a_hostile_server_move_no_cursor() -> None:
    board = board_of(late_game(2), NAMES[:2])
    assert board.view is not None
    evil = "\x1b[2J[red]\u202e"
    board.view["players"][0] |= {"crew": [evil] * 500, "doing": evil, "announced": 1, "played": [evil]}
    board.view["ships"][0] |= {"contracts": [evil], "slots": [[evil, evil, True]] * 500, "place": "port"}
    board.view["top_discard"] = evil
    for width, height in (80, 24), (200, 60):
        lines = drawn(board, width, height).splitlines()
        assert not {"\x1b", "\u202e"} & set("".join(lines))
        assert len(lines) <= height


def test_clock_counts_down_and_goes_on_to_the_bank() -> None:
    now = [100.0]
    board = board_of(late_game(2), NAMES[:2], clock={"move": 10.0, "bank": 60.0}, now=lambda: now[0])
    for passed, told in (
        (0.5, "in 9.5 s of 10 s"),
        (4, "in 6.0 s of 10 s"),
        (12, "for 2.0 s on a bank of at most 60 s"),
    ):
        now[0] = 100.0 + passed
        assert told in drawn(board)
    board.look(table(late_game(2), None), {"kind": "bid", "seats": [0], "age": 7.0})
    assert "in 3.0 s of 10 s: a sealed bid" in drawn(board)


def test_own_clock_is_told_with_its_bank() -> None:
    now = [0.0]
    board = Board("g1", NAMES[:2], clock={"move": 10.0, "bank": 60.0}, now=lambda: now[0])
    clock = {"move": 2.0, "bank": 31.0}
    board.look(table(late_game(2), 0), {"kind": "lead", "seats": [0], "age": 8.0, "clock": clock})
    now[0] = 1.0
    assert "to decide in 1.0 s and 31 s of the bank" in drawn(board)
    now[0] = 5.0
    assert "to decide in 0.0 s and 28 s of the bank" in drawn(board)


def test_game_that_waits_shows_no_clock() -> None:  # S069
    board = Board("g1", NAMES[:2], clock={"move": 10.0, "bank": 0.0})
    board.look(table(Game.new(Options(players=2), seed=1), None))
    board.waiting = True
    text = drawn(board)
    assert "waiting for the players to get ready; no clock runs" in text
    assert " of 10 s" not in text


def bidding() -> Game:
    """A game of four in which three or more bid."""
    for seed in range(50):
        game, pick = Game.new(Options(players=4), seed=seed), Random(seed)
        while not game.over:
            if len(game.asking) > 2:
                return game
            for seat in game.to_act:
                game.choose(seat, pick.randrange(len(game.decision(seat).options)))
    raise AssertionError("nobody bids in 50 games")


def test_all_bidders_have_sealed_bids_until_the_last_is_in() -> None:  # S026
    game = bidding()
    bidders = [decision.seat for decision in game.asking]
    before = drawn(board_of(game, NAMES[:4]), 120, 40)
    assert before.count("sealed bid") == len(bidders) + 1  # and in the line that says what is asked
    game.choose(bidders[0], len(game.decision(bidders[0]).options) - 1)
    assert drawn(board_of(game, NAMES[:4]), 120, 40) == before


def test_terminal_that_has_ascii_alone_gets_no_other_sign() -> None:
    game = late_game(4, **EVERYTHING)
    for size in (80, 24), (120, 50):
        text = drawn(board_of(game, NAMES[:4]), *size, encoding="ascii")
        assert text.isascii()
        assert "Alpha" in text


def test_without_colour_no_colour_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    board = board_of(late_game(2), NAMES[:2])
    assert re.search(r"\x1b\[[0-9;]*4[0-7]m", drawn(board, color="standard"))
    monkeypatch.setenv("NO_COLOR", "1")
    assert not re.search(r"\x1b\[[0-9;]*[34][0-7]m", drawn(board, color="standard"))


def test_events_fill_the_lines_that_the_table_leaves() -> None:
    board = board_of(late_game(2), NAMES[:2])
    for number in range(1, 200):
        board.add(number, {"event": "turn", "turn": number, "lead": 0})
    lines = drawn(board, 100, height=40).splitlines()
    assert len(lines) == 40
    assert "  199  turn 199: Alpha leads" in lines[-1]


def test_credits_over_time_rise_to_the_end() -> None:
    levels = UNICODE.levels
    assert spark([0, 10, 20, 30, 40, 50], 50, levels, 6) == "▁▂▄▅▇█"
    assert spark([-8, 80], 80, levels, 40) == "▁█"
    assert spark(range(100), 100, levels, 3)[-1] == levels[round(7 * 99 / 100)]
    assert spark([], 50, levels, 9) == ""


def test_long_history_is_thinned_and_keeps_its_ends() -> None:
    history = History()
    for number in range(10 * KEPT):
        history.add((number,))
    assert len(history.points) <= KEPT + 1
    assert history.of(0)[0] == 0
    assert history.of(0)[-1] >= 10 * KEPT - 2


def test_words_and_letters_are_those_of_the_pages() -> None:
    words = dict(re.findall(r'"?([a-z-]+)"?: "(.*?)",', KINDS_OF_THE_PAGES.read_text("utf-8")))
    assert words == DECISIONS
    letters = re.search(r"LETTERS = \{(.*?)\}", CARDS_OF_THE_PAGES.read_text("utf-8"), re.DOTALL)
    assert letters is not None
    assert dict(re.findall(r'(\w+): "(\w)"', letters[1])) == LETTERS
