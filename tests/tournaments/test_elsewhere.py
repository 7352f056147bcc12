"""Results from elsewhere: what files may say, and one sentence with file and line for each mistake."""

from __future__ import annotations

from pathlib import Path

import pytest

from tournaments.elsewhere import ResultsError, read_results
from tournaments.ratings import Result


def read(folder: Path, name: str, text: str | bytes) -> list[Result]:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_results(path)


def refusal(folder: Path, name: str, text: str | bytes) -> str:
    """The sentence about a file, without its path."""
    with pytest.raises(ResultsError) as caught:
        read(folder, name, text)
    told = str(caught.value)
    assert told.startswith(str(folder / name))
    assert "\n" not in told
    return told.removeprefix(str(folder / name)).strip()


def test_csv_of_seats(tmp_path: Path) -> None:
    text = (
        "game,player,place,block,fault\n1,Ada,2,x,\n1,Bo,1,x,\n\n2,Cy,1,x,timeout\n2,Ada,1,x,\n1,Dee,3,x,\n"
    )
    first, second = read(tmp_path, "r.csv", text)
    assert first == Result("1", "x", ("Ada", "Bo", "Dee"), (2, 1, 3))
    assert second == Result("2", "x", ("Cy", "Ada"), (1, 1), ("timeout", None))


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("start", ["", "\ufeff"])
def test_csv_of_duels(tmp_path: Path, start: str, end: str) -> None:
    lines = ["A,Score,B", "Ada,1,Bo", '"Bo, the 2nd",0.5,Ada', "Ada, 0 ,Bo"]
    places = [result.places for result in read(tmp_path, "r.csv", start + end.join(lines))]
    assert places == [(1, 2), (1, 1), (2, 1)]
    assert read(tmp_path, "r.csv", start + end.join(lines))[1].entrants == ("Bo, the 2nd", "Ada")


def test_jsonl(tmp_path: Path) -> None:
    text = '{"game": "g1", "places": {"x": 1, "y": 2}}\n\n{"game": "g2", "places": {"y": 1, "x": 1}, "block": "b"}\n'
    assert read(tmp_path, "r.jsonl", text) == [
        Result("g1", "g1", ("x", "y"), (1, 2)),
        Result("g2", "b", ("y", "x"), (1, 1)),
    ]


def test_fault_of_jsonl_ranks_behind(tmp_path: Path) -> None:  # S049
    (result,) = read(
        tmp_path, "r.jsonl", '{"game": "g", "places": {"x": 1, "y": 2}, "faults": {"x": "crash"}}'
    )
    assert result.points() == {"x": 0.0, "y": 1.0}


PGN = """\ufeff[Event "a \\"b\\""]
[White "Ada"]
[Black "Bo"]
[Result "1-0"]

1. e4 {[White "Eve"]
[Result "0-1"]} e5 ; {
2. Nf3 1-0

[Event "c"]
[White "Bo"]
[Black "Ada"]
[Result "1/2-1/2"]

1/2-1/2

[White "Bo"]
[Black "Ada"]
[Result "*"]

*
[White "?"]
[Black "Ada"]
[Result "1-0"]

1-0
"""


def test_headers_of_pgn(tmp_path: Path) -> None:
    found = [(each.entrants, each.places) for each in read(tmp_path, "r.pgn", PGN)]
    assert found == [(("Ada", "Bo"), (1, 2)), (("Bo", "Ada"), (1, 1))]


def test_copy_of_a_duel_counts_once_if_it_has_an_id(tmp_path: Path) -> None:  # S042
    line = "7,Ada,Bo,1\n"
    assert read(tmp_path, "r.csv", f"game,a,b,score\n{line}{line}") == [
        Result("7", "7", ("Ada", "Bo"), (1, 2))
    ]
    told = refusal(tmp_path, "r.csv", f"game,a,b,score\n{line}7,Ada,Bo,0\n")
    assert 'line 3: game "7" has another result already' in told
    assert len(read(tmp_path, "r.csv", "a,b,score\nAda,Bo,1\nAda,Bo,1\n")) == 2


@pytest.mark.parametrize("suffix", ["csv", "jsonl"])
def test_copy_of_a_line_counts_once(tmp_path: Path, suffix: str) -> None:  # S042
    game = {
        "csv": "1,Ada,1\n1,Bo,2\n1,Ada,1\n",
        "jsonl": '{"game": "1", "places": {"Ada": 1, "Bo": 2}}\n' * 2,
    }[suffix]
    start = "game,player,place\n" if suffix == "csv" else ""
    assert read(tmp_path, f"r.{suffix}", start + game) == [Result("1", "1", ("Ada", "Bo"), (1, 2))]


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("r.txt", "", "ends in none of .csv, .jsonl, .pgn; give it the ending of what it holds, or name"),
        ("r.csv", "a,b,score\n", "holds no result"),
        ("r.jsonl", "", "holds no result"),
        ("r.pgn", "\n\n", "holds no result"),
        (
            "r.csv",
            "a,b\n",
            (
                'line 1: it is "a, b"; expected a heading of the columns game,player,place, and perhaps block and'
                " fault, or a,b,score, and perhaps game and block"
            ),
        ),
        ("r.csv", "\n\na,b\n", 'line 3: it is "a, b"; expected a heading'),
        ("r.csv", "a,b,score,elo\n", 'line 1: the column "elo" means nothing here; take it out'),
        ("r.csv", "a,b,score,a\n", "line 1: a column is named twice"),
        ("r.csv", "a,b,score\nx,y,1\nx,y,2\n", 'line 3: score is "2"; expected 1, 0.5 or 0'),
        ("r.csv", "a,b,score\nx,y\n", "line 2: it has 2 cells, and the heading has 3"),
        ("r.csv", "a,b,score\nx,x,1\n", 'line 2: "x" plays itself; name two players'),
        ("r.csv", "a,b,score\nx,,1\n", 'line 2: b is ""; expected a name of 1 to 100 printable characters'),
        ("r.csv", f"a,b,score\nx,{'y' * 101},1\n", 'line 2: b is "yyy'),
        ("r.csv", "a,b,score\nx,\x1b[31m,1\n", 'line 2: b is "\\u001b[31m"; expected a name'),
        ("r.csv", 'a,b,score\n"x,y,1\n', "line 2: unexpected end of data"),
        ("r.csv", "a,b,score\n" + "x" * 70000, "line 2: the line is longer than 65,536 characters"),
        ("r.csv", b"a,b,score\nx,y,1\n\xff,y,1\n", "line 3: it is not UTF-8; save the file as UTF-8"),
        ("r.csv", "a,b,score\n".encode("utf-16"), "line 1: it is not UTF-8"),
        ("r.csv", b"a,b,score\n" + b"x,y,1\n" * 4000 + b"x,\xff", "line 4002: it is not UTF-8"),
        ("r.csv", b"a,b,score\r" + b"x,y,1\r" * 4000 + b"\xff", "line 4002: it is not UTF-8"),
        ("r.jsonl", b"\n\r\n\r\xff", "line 4: it is not UTF-8"),
        ("r.csv", "game,player,place\n1,x,1\n", 'line 2: game "1" has one player; a game has two or more'),
        (
            "r.csv",
            "game,player,place\n1,x,0\n1,y,2\n",
            'line 2: place is "0"; expected a whole number from 1',
        ),
        ("r.csv", "game,player,place\n1,x,1e3\n", 'line 2: place is "1e3"'),
        ("r.csv", "game,player,place\n1,x,1\n1,x,2\n", 'line 3: "x" has another result in game "1" already'),
        ("r.csv", "game,player,place,block\n1,x,1,a\n1,y,2,b\n", 'line 3: game "1" is in block "b" here'),
        ("r.jsonl", "{", "line 1: it is not JSON: Expecting property name"),
        ("r.jsonl", "[" * 20000, "line 1: it is nested too deeply"),
        ("r.jsonl", "[]", "line 1: it is a list of 0; expected an object"),
        ("r.jsonl", '{"game": "1", "places": {"x": NaN, "y": 2}}', "line 1: NaN is not JSON"),
        ("r.jsonl", '{"game": "1", "places": {"x": 1, "x": 2}}', 'line 1: the key "x" comes twice'),
        ("r.jsonl", '{"game": "1", "places": {"x": 1}}', "line 1: places is"),
        ("r.jsonl", '{"game": "1", "places": {"x": 1.5, "y": 2}}', 'line 1: the place of "x" is 1.5'),
        ("r.jsonl", '{"game": "1", "places": {"x": true, "y": 2}}', 'line 1: the place of "x" is true'),
        ("r.jsonl", '{"game": 1, "places": {"x": 1, "y": 2}}', "line 1: game is 1; expected a name"),
        ("r.jsonl", '{"game": "1", "ranks": {}}', 'line 1: the key "ranks" means nothing here'),
        (
            "r.jsonl",
            '{"game": "1", "places": {"x": 1, "y": 2}, "faults": {"z": "crash"}}',
            "line 1: faults is",
        ),
        (
            "r.jsonl",
            r'{"game": "1", "places": {"x": 1, "y": 2}, "faults": {"x": "\u001b[31m"}}',
            r'line 1: fault is "\u001b[31m"; expected a name of 1 to 100 printable characters',
        ),
        (
            "r.jsonl",
            '{"game": "1", "places": {"x": 1, "y": 2}, "faults": {"x": []}}',
            "line 1: fault is a list",
        ),
        ("r.jsonl", '{"game": "1", "places": {"x": 1, "y": 2}, "faults": {"x": ""}}', 'line 1: fault is ""'),
        (
            "r.jsonl",
            f'{{"game": "1", "places": {{"x": 1, "y": {"9" * 5000}}}}}',
            "line 1: a number has 5,000 digits; expected whole numbers from 1 to 100",
        ),
        ("r.csv", "game,player,place,fault\n1,x,1,a\x1b\n", 'line 2: fault is "a\\u001b"; expected a name'),
        ("r.csv", f"game,player,place\n1,x,{'9' * 5000}\n", 'line 2: place is "999'),
        (
            "r.jsonl",
            '{"game": "1", "places": {"x": 1, "y": 2}}\n{"game": "1", "places": {"x": 2, "y": 1}}',
            'line 2: game "1" has another result already; remove one',
        ),
        (
            "r.pgn",
            '[White "x"]\n[Result "1-0"]\n\n1-0\n',
            "line 1: the game that begins here has no header Black",
        ),
        (
            "r.pgn",
            '[White "x"]\n[Black "y"]\n[Result "2-0"]\n\n',
            'line 1: Result is "2-0"; expected one of 1-0',
        ),
        ("r.pgn", "\n[White x]\n", "line 2: a header cannot be read"),
        ("r.pgn", '[White "x"]\n[White "y"]\n', "line 2: the header White comes twice in a game"),
        ("r.pgn", '[White "x"]\n[Black "x"]\n[Result "1-0"]\n', 'line 1: "x" plays itself'),
    ],
)
def test_mistake_is_told_with_its_line(
    tmp_path: Path, name: str, text: str | bytes, told: str
) -> None:  # S060, S074, S075, S076
    assert refusal(tmp_path, name, text).startswith(told)


@pytest.mark.parametrize("text", ["", "\ufeff", "\n", "\r\n\r\n", " \n\t\n"])
def test_file_of_nothing_is_empty_and_has_no_line_to_blame(tmp_path: Path, text: str) -> None:
    assert refusal(tmp_path, "r.csv", text).startswith("is empty; it needs a heading of the columns game,")
    assert refusal(tmp_path, "r.jsonl", text) == refusal(tmp_path, "r.pgn", text) == "holds no result"
    (result,) = read(tmp_path, "r.csv", f"{text}a,b,score\n{text.removeprefix(chr(0xFEFF))}x,y,1\n")
    assert result.places == (1, 2)


@pytest.mark.parametrize("other", ["alpha", "ALPHA", "\uff21lpha", "\u0410lpha"])
def test_names_that_count_as_the_same_are_refused(tmp_path: Path, other: str) -> None:  # S062
    told = refusal(tmp_path, "r.csv", f"a,b,score\nAlpha,Bo,1\nCy,{other},1\n")
    assert "which count as the same name" in told


def test_blanks_around_a_name_mean_nothing_in_every_format(tmp_path: Path) -> None:  # S062
    csv = read(tmp_path, "r.csv", "game,player,place\n1,Ada ,1\n1, Bo,2\n")
    jsonl = read(tmp_path, "r.jsonl", '{"game": "1", "places": {"Ada ": 1, " Bo": 2}}\n')
    assert csv == jsonl == [Result("1", "1", ("Ada", "Bo"), (1, 2))]
    told = refusal(tmp_path, "r.jsonl", '{"game": "1", "places": {"Ada ": 1, "Ada": 2}}\n')
    assert "names a player twice" in told


def test_file_that_is_not_there_and_folder(tmp_path: Path) -> None:
    with pytest.raises(ResultsError, match=r"x\.csv cannot be read: No such file"):
        read_results(tmp_path / "x.csv")
    with pytest.raises(ResultsError, match="is a folder; name a file of results"):
        read_results(tmp_path)


def test_more_entrants_than_the_fit_can_hold_are_refused(tmp_path: Path) -> None:
    text = "a,b,score\n" + "".join(f"bot{n},bot{n + 1},1\n" for n in range(2000))
    assert refusal(tmp_path, "r.csv", text).startswith("has 2,001 entrants; at most 2,000")
