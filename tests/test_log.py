"""The log: one line for each event, whatever a name or a text from outside has in it."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest

HOSTILE = [
    "x\n2026-01-01 00:00:00 [error] forged name=nobody",
    "x\r\x1b[2J\x1b[31mred",
    'x"}\n{"event":"forged"}',
    "x\u2028y\u2029z\x85\x0b\x0c",
    "\u202ereversed\u202c\ufeff",
    "half \ud800 of a pair",
    "a event=forged level=error",
]

PROGRAM = """
import json, sys
import structlog
from arena.log import configure
configure(sys.argv[1], verbose=True)
names = json.loads(sys.argv[2])
log = structlog.get_logger().bind(game="g-1", connection=7, name=names[0])
for name in names:
    log.bind(name=name).info("fault", seat=2, seats=[name])
"""


def logged(form: str) -> list[str]:
    command = [sys.executable, "-c", PROGRAM, form, json.dumps(HOSTILE)]
    done = subprocess.run(command, capture_output=True, check=True)
    assert done.stdout == b""
    return done.stderr.decode().splitlines()


@pytest.mark.parametrize("form", ["console", "json"])
def test_what_comes_from_outside_makes_no_line_and_moves_no_cursor(form: str) -> None:  # S072
    lines = logged(form)
    assert len(lines) == len(HOSTILE)
    for line in lines:
        assert re.search("[\x00-\x1f\x7f-\x9f\u2028-\u202e\ufeff\ud800-\udfff]", line) is None, line


def test_json_lines_keep_what_was_bound_and_the_text_as_it_was() -> None:
    values = [json.loads(line) for line in logged("json")]
    assert [value["name"] for value in values] == HOSTILE
    assert all(value["event"] == "fault" and value["level"] == "info" for value in values)
    assert all((value["game"], value["connection"], value["seat"]) == ("g-1", 7, 2) for value in values)


def test_in_the_console_a_value_with_blanks_stands_in_quotes() -> None:
    assert "name='a event=forged level=error'" in logged("console")[-1]
