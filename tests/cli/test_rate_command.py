"""`arena rate` as its user meets it."""

from __future__ import annotations

import csv
import gc
import io
import json
import re
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arena.cli import main
from tournaments.report import of_tournament
from tournaments.store import Played, Store


@pytest.fixture(autouse=True)
def _collecting() -> Iterator[None]:
    """The command stops the collector of its process."""
    yield
    gc.enable()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "results.csv"
    rows = ["Ada,Bo,1", "Bo,Ada,0", "Bo,Cy,1", "Cy,Bo,0.5", "=Eve,Ada,0"]
    path.write_text("a,b,score\n" + "\n".join(rows))
    return path


def call(*words: object) -> Result:
    return CliRunner().invoke(main, ["rate", *map(str, words)])


def test_json_is_what_the_design_says(file: Path) -> None:  # S048
    result = call(file, "--json")
    assert result.exit_code == 0
    rows = json.loads(result.stdout, parse_constant=lambda word: pytest.fail(f"{word} is not JSON"))
    assert rows[0]["name"] == "Ada"
    assert set(rows[0]) == {"name", "elo", "low", "high", "games", "points", "faults", "group"}


def test_csv_holds_no_formula(file: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(call(file, "--csv").stdout)))
    assert [row["place"] for row in rows] == ["1", "2", "3", "4"]
    assert "'=Eve" in {row["name"] for row in rows}


def test_table_and_page(file: Path, tmp_path: Path) -> None:
    result = call(file, "--html", tmp_path / "page.html", "--anchor", "Bo=1500")
    assert result.exit_code == 0
    assert "+1500" in result.stdout
    assert "live" not in result.stdout
    assert "the page is " in result.stderr
    assert "Who met whom" in (tmp_path / "page.html").read_text()


def test_name_of_a_file_that_no_terminal_should_get_is_written_out(file: Path, tmp_path: Path) -> None:
    odd = file.rename(
        tmp_path / "a\x1b[31m\udcff.csv"
    )  # bytes that are no UTF-8 stand in names of files, too
    result = call(odd, "--html", tmp_path / "page.html")
    assert result.exit_code == 0
    for shown in result.stdout, (tmp_path / "page.html").read_text():
        assert r"a\x1b[31m\udcff" in shown


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (["--anchor", "Bo"], 2, "'Bo' is not NAME=ELO"),
        (["--anchor", "Bo=nan"], 2, "is not NAME=ELO"),
        (["--anchor", "Bo=1", "--anchor", "Bo=2"], 2, "anchored twice"),
        (["--anchor", "Zoe=1"], 2, "the anchor Zoe is not among the 4 entrants; give a name"),
        (["--json", "--csv"], 2, "exclude each other"),
        (["--sprt", "Ada", "Zoe"], 2, "Zoe of the test is not among the 4 entrants; give a name"),
        (["--sprt", "Ada", "Ada"], 2, "--sprt names 'Ada' twice; name two entrants"),
        (
            ["--sprt", "Ada", "Bo", "--elo0", "10"],
            2,
            "--elo0 is 10 and --elo1 10; --elo1 must be the greater",
        ),
        (["--sprt", "Ada", "Bo", "--alpha", "nan"], 2, "'nan' is not a number; give one from 0.0001 to 0.4"),
        (["--html", "/no/such/folder/x.html"], 1, "cannot be written"),
    ],
)
def test_wrong_call_is_one_sentence(file: Path, words: list[str], code: int, told: str) -> None:
    result = call(file, *words)
    assert result.exit_code == code
    assert told in result.stderr


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a,b,score\nAda,Bo,1\nBo,Ada,0\n", "rest on 2 games; from 5 on .* and more games make"),
        ("a,b,score\nAda,Bo,1\n", "rest on one game;"),
        ("a,b,score,block\nAda,Bo,1,x\nBo,Ada,0,x\n", "rest on one block; from 5 on .* more blocks make"),
    ],
)
def test_what_the_ratings_rest_on_is_what_the_file_says(file: Path, text: str, told: str) -> None:
    file.write_text(text)
    result = call(file)
    assert re.search(told, result.stderr)
    assert "deal" not in result.output


def test_broken_line_is_named(file: Path) -> None:
    file.write_text("a,b,score\nAda,Bo,1\nAda,Bo,7\n")
    result = call(file)
    assert result.exit_code == 2
    assert f'{file} line 3: score is "7"' in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_sequential_test_is_told_in_every_form(tmp_path: Path) -> None:
    file = tmp_path / "versions.csv"
    file.write_text("a,b,score,block\n" + "".join(f"new,old,1,{block}\n" for block in range(30)))
    words = ("--sprt", "new", "old", "--elo0", "-5", "--elo1", "100")
    result = call(file, *words, "--html", tmp_path / "page.html")
    # By hand: 12 ln(0.6401 / 0.4928) = 3.14, and 11 of them are 2.88.
    told = "SPRT of new against old: better; LLR +3.14, bounds -2.94 and +2.94, after 12 blocks"
    assert told in result.stdout
    assert "Sequential test" in (tmp_path / "page.html").read_text()
    best, other = json.loads(call(file, *words, "--json").stdout)
    assert "sprt" not in other
    assert (best["sprt"]["blocks"], best["sprt"]["verdict"], best["games"]) == (12, "better", 30)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A tournament of eight deals, each played from both seats by each two of three; Dee has not come."""
    folder = tmp_path / "spring"
    with Store(folder) as store:
        store.belongs_to(
            {"name": '"Spring cup"'} | {f"entrant {name}": "{}" for name in ("Ada", "Bo", "Cy", "Dee")}
        )
        for deal in range(8):
            for one, other in combinations(("Ada", "Bo", "Cy"), 2):
                for number, seats in enumerate(((one, other), (other, one))):
                    places = (1, 2) if (deal + number) % 3 else (2, 1)
                    id = f"{one}{other}{deal}.{number}"
                    store.add(
                        Played(
                            id,
                            id[:-2],
                            deal,
                            seats,
                            places,
                            (9, 9),
                            ("normal", "normal"),
                            f"games/{id}.jsonl",
                        )
                    )
    return folder


def test_folder_of_a_tournament_is_rated_as_its_own_report_does(folder: Path) -> None:
    with Store(folder) as store:
        own = of_tournament(store).rows
    rated = json.loads(call(folder, "--json").stdout)
    assert [{key: row[key] for key in each} for row, each in zip(own, rated, strict=True)] == rated
    assert [row["name"] for row in rated][-1] == "Dee"
    anchored = json.loads(call(folder, "--json", "--anchor", "Ada=1500").stdout)
    assert next(row["elo"] for row in anchored if row["name"] == "Ada") == 1500
    assert call(folder).stdout.startswith("Spring cup")
    assert "after 8 blocks" in call(folder, "--sprt", "Ada", "Bo").stdout


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        (
            "standings.csv",
            "place,name,elo,low,high,live,games,points,faults,group\n",
            "for those of a tournament name its folder",
        ),
        (
            "g.jsonl",
            '{"type":"header","kind":"game"}\n',
            "the record of one game; name the folder of its tournament",
        ),
        ("results.sqlite", "", "or name the folder of a tournament"),
        ("none/x", "", "none has no results.sqlite; name a file of results, or the folder"),
    ],
)
def test_other_files_of_a_tournament_are_refused_with_the_folder(
    tmp_path: Path, name: str, text: str, told: str
) -> None:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    result = call(path if path.parent == tmp_path else path.parent)
    assert result.exit_code == 2
    assert told in result.stderr
