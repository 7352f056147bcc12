"""docs/records.md is held to the code, and its worked example is recomputed."""

from __future__ import annotations

import re
import subprocess
from hashlib import sha256
from io import BufferedReader, BytesIO
from pathlib import Path

from arena.game import Options
from arena.records import DIGEST_EVERY, FORMAT, Choice, Outcome
from arena.records.form import MAX_CHOICES, RETIRED
from arena.records.lines import MAX_LINE, START
from arena.records.reading import MAX_RECORD, read_lines
from protocol.codes import EndReason
from tests.records.recorded import header

PAGE = Path(__file__).parents[2].joinpath("docs", "records.md").read_text("utf-8")


def block(language: str, number: int = 0) -> str:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)[number]


def fields(title: str) -> list[str]:
    """The first column of the table under a heading."""
    section = PAGE.split(f"### {title}\n")[1].split("\n#")[0]
    return re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE)


def test_the_example_holds() -> None:
    record = read_lines(BufferedReader(BytesIO(block("json").encode())))
    assert record.torn == 0
    assert record.result is not None
    assert record.header.seats == ("Alpha", "Beta")


def test_the_example_is_recomputed_as_the_page_says() -> None:
    previous = START
    for line in block("json").splitlines():
        body, _, end = line.rpartition(',"hash":"')
        previous = sha256((previous + body).encode()).hexdigest()
        assert end == previous + '"}'


def test_the_shell_checks_the_example_too(tmp_path: Path) -> None:
    good = block("json")
    assert block("sh").startswith("previous=")
    run = subprocess.run(["sh", "-c", block("sh")], input=good, capture_output=True, text=True, check=True)
    assert run.stdout == good[-67:-3] + "\n"
    bad = good.replace('"n":2', '"n":3')
    assert (
        subprocess.run(["sh", "-c", block("sh")], input=bad, capture_output=True, text=True).returncode == 1
    )


def test_the_commitment_is_computed_as_the_page_says() -> None:
    run = subprocess.run(["sh", "-c", block("sh", 1)], capture_output=True, text=True, check=True)
    assert f'"commitment":"{run.stdout[:64]}"' in block("json")


def test_the_tables_have_the_fields_of_the_lines() -> None:
    whole = header(started="2026-01-31T12:00:00Z", software="a", clock={"move": 1.0}, tags={"block": 1})
    assert fields("The header") == list(whole.to_json())
    choice = Choice(1, 0, 0, "draw", "0" * 64, 1.0, 1.0, EndReason.TIMEOUT, True, 1.0, 1.0)
    assert fields("A choice") == list(choice.to_json())
    outcome = Outcome(False, (), (), "aborted", (EndReason.ABORTED,) * 2, 0, "0" * 64, True, ("",))
    assert fields("The result") == list(outcome.to_json())


def test_the_numbers_and_words_are_those_of_the_code() -> None:
    assert f"| `format` | {FORMAT} |" in PAGE
    assert f"| every {DIGEST_EVERY}th |" in PAGE
    assert f"| bytes of a line | {MAX_LINE} |" in PAGE
    assert f"| bytes of a record | {MAX_RECORD} |" in PAGE
    assert f"| choices | {MAX_CHOICES} |" in PAGE
    words = [f"`{reason.value}`" for reason in RETIRED]
    assert f"{', '.join(words[:-1])} or {words[-1]}" in PAGE
    assert all(f"`{name}`" in PAGE for name in Options._fields)
