"""Whatever is changed in a record is found, and said in one sentence with the line."""

from __future__ import annotations

from collections.abc import Callable
from io import BufferedReader, BytesIO
from pathlib import Path
from typing import Any

import pytest

from arena.game import Game, Options
from arena.records import Journal, RecordError, finished, read_record, verify
from arena.records.lines import MAX_LINE
from arena.records.reading import read_lines
from protocol.codes import EndReason
from tests.records.recorded import begun, header, play, rewritten, short, whole


def refusal(path: Path) -> str:
    with pytest.raises(RecordError) as caught:
        verify(read_record(path))
    assert "\n" not in str(caught.value)
    return str(caught.value)


def check_refused(data: bytes) -> None:
    """That no record with these bytes is sound."""
    try:
        record = read_lines(BufferedReader(BytesIO(data)))
    except RecordError:
        return
    if not record.torn:
        with pytest.raises(RecordError):
            verify(record)


def test_every_changed_bit_is_found(tmp_path: Path) -> None:
    good = short(tmp_path / "g.jsonl", choices=3).read_bytes()
    for place in range(len(good)):
        for bit in range(8):
            bad = bytearray(good)
            bad[place] ^= 1 << bit
            check_refused(bytes(bad))


def test_every_removed_and_added_byte_is_found(tmp_path: Path) -> None:
    good = short(tmp_path / "g.jsonl", choices=3).read_bytes()
    for place in range(len(good)):
        check_refused(good[:place] + good[place + 1 :])
        for added in (b" ", b"\n", good[place : place + 1]):
            check_refused(good[:place] + added + good[place:])


def test_every_cut_is_found(tmp_path: Path) -> None:
    good = short(tmp_path / "g.jsonl", choices=3).read_bytes()
    for length in range(len(good)):
        check_refused(good[:length])


def test_every_removed_repeated_and_swapped_line_is_found(tmp_path: Path) -> None:
    lines = short(tmp_path / "g.jsonl", choices=6).read_bytes().splitlines(keepends=True)
    for place in range(len(lines)):
        check_refused(b"".join(lines[:place] + lines[place + 1 :]))
        check_refused(b"".join(lines[: place + 1] + lines[place:]))
        for other in range(place):
            swapped = lines.copy()
            swapped[place], swapped[other] = lines[other], lines[place]
            check_refused(b"".join(swapped))


def test_a_changed_byte_is_told_with_its_line(tmp_path: Path) -> None:
    path = short(tmp_path / "g.jsonl")
    lines = path.read_bytes().splitlines(keepends=True)
    lines[3] = lines[3].replace(b'"seat":', b'"Seat":')
    path.write_bytes(b"".join(lines))
    assert refusal(path).startswith("line 4: its hash is ")


def test_a_record_that_ends_before_its_result_is_not_sound(tmp_path: Path) -> None:
    path = begun(tmp_path / "g.jsonl")
    assert read_record(path).result is None
    expected = "there is no result: the game is not finished, or the end of the file was cut off"
    assert refusal(path) == expected


def test_a_torn_line_is_told(tmp_path: Path) -> None:
    path = begun(tmp_path / "g.jsonl", choices=5)
    path.write_bytes(path.read_bytes()[:-1])
    expected = (
        "line 6: the line is torn: it is the last and has no newline; if its server was killed, start that again:"
        " it cuts the line and goes on with the game"
    )
    assert refusal(path) == expected


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", "the file is empty; a record begins with a whole header"),
        (
            b"\n",
            'line 1: the line does not end in its hash, ,"hash":"64 hex digits"}',
        ),
        (
            b"hello",
            "line 1: its first line is torn or is no header; a record begins with a whole header",
        ),
        (
            b"\x00\xff\n\x01\n",
            'line 1: the line does not end in its hash, ,"hash":"64 hex digits"}',
        ),
        (
            b"[" * 20_000 + b"\n\n",
            'line 1: the line does not end in its hash, ,"hash":"64 hex digits"}',
        ),
        (b"x" * (MAX_LINE + 1), "line 1: the line is over the limit of 65,536 bytes; no record has one"),
        (
            b"x" + bytes(MAX_LINE) + b"x",
            "line 1: the line is over the limit of 65,536 bytes; no record has one",
        ),
    ],
)
def test_what_is_no_record_is_told_apart(tmp_path: Path, data: bytes, expected: str) -> None:  # S074, S078
    path = tmp_path / "g.jsonl"
    path.write_bytes(data)
    assert refusal(path) == expected


def test_a_file_that_is_not_there_a_folder_and_a_device_are_told_apart(tmp_path: Path) -> None:
    assert refusal(tmp_path / "none") == "cannot be read: No such file or directory"
    assert refusal(tmp_path) == "cannot be read: Is a directory"
    assert refusal(Path("/dev/zero")) == "cannot be read: it is not a file"
    assert refusal(tmp_path / "a\0b") == "cannot be read: embedded null byte"


def test_a_file_over_the_limit_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = short(tmp_path / "g.jsonl")
    monkeypatch.setattr("arena.records.reading.MAX_RECORD", 900)
    assert refusal(path).endswith("the file is over the limit of 900 bytes; no game is so long")


def edit(line: int, **values: Any) -> Callable[[list[dict[str, Any]]], None]:
    """Change fields of one line; None removes one."""

    def change(lines: list[dict[str, Any]]) -> None:
        for name, value in values.items():
            lines[line][name] = value
            if value is None:
                del lines[line][name]

    return change


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (
            edit(0, type="choice"),
            'line 1: "type" is "choice"; expected "header"; a record begins with its header',
        ),
        (edit(0, format=2), 'line 1: "format" is 2; expected 1; take a release that reads this format'),
        (edit(0, format=True), 'line 1: "format" is true; expected 1; take a release that reads this format'),
        (
            edit(0, kind="chess"),
            'line 1: "kind" is "chess"; expected "game"; there are records of games only',
        ),
        (edit(0, rules=None), 'line 1: the field "rules" is missing'),
        (edit(0, extra=1), 'line 1: the field "extra" does not belong here'),
        (edit(0, seed=7), 'line 1: "seed" is 7; expected a whole number in decimal digits, as a text'),
        (edit(0, seed="07"), 'line 1: "seed" is "07"; expected a whole number in decimal digits, as a text'),
        (edit(0, salt="00"), 'line 1: "salt" is "00"; expected 32 to 64 hex digits'),
        (
            edit(0, game="../../x"),
            'line 1: "game" is "../../x"; expected 1 to 64 letters, digits, dots, dashes and underscores',
        ),
        (edit(0, seats=["a"]), "line 1: 1 names for 2 seats"),
        (
            edit(0, seats=["a", "b\x1b[2J"]),
            'line 1: "b\\u001b[2J" is no name; one has 1 to 64 characters without controls',
        ),
        (
            edit(0, seats=["a", 5]),
            "line 1: 5 is no name; one has 1 to 64 characters without controls",
        ),
        (
            edit(0, options={"players": 2}),
            'line 1: "options" must have players, sets, market, containers and nothing else',
        ),
        (
            edit(0, options={"players": 7, "sets": [], "market": False, "containers": "cards"}),
            "line 1: the options cannot be played: 7 players cannot play; 2 to 6 can",
        ),
        (edit(0, catalogue={"name": "house"}), 'line 1: the field "catalogue.hash" is missing'),
        (
            edit(0, started="yesterday"),
            'line 1: "started" is "yesterday"; expected a time like 2026-01-31T12:00:00Z',
        ),
        (
            edit(0, clock={"move": -1}),
            'line 1: "clock" may give seconds for move, bank, increment, grace, not "move"',
        ),
        (edit(0, tags={"A": 1}), 'line 1: the tag "A" must be a word, with a text or a whole number'),
        (edit(2, n=3), "line 3: it is choice 3, but choice 2 comes next"),
        (edit(2, seat=3), "line 3: there is no seat 3 in a game of 2"),
        (edit(2, seat=True), 'line 3: "seat" is true; expected a whole number from 0 to 5'),
        (edit(2, choice=2.0), 'line 3: "choice" is 2.0; expected a whole number from 0 to 9999'),
        (edit(2, spent=-1), 'line 3: "spent" is -1; expected seconds, 0 or more'),
        (
            edit(2, fault="slow"),
            'line 3: "fault" is "slow"; expected one of timeout, illegal, disconnect, crash',
        ),
        (edit(2, retired=True), "line 3: the seat is retired, so there must be a fault that says why"),
        (edit(2, digest="0" * 64), "line 3: a digest stands in every 50th choice and in no other"),
        (
            edit(2, option="draw\x1b"),
            'line 3: "option" is "draw\\u001b"; expected the text form of an option',
        ),
        (edit(6, choices=4), "line 7: the result counts 4 choices, but 5 stand before it"),
        (edit(6, reasons=["aborted"]), "line 7: the result has 1 seats, but 2 play"),
        (
            edit(6, reason="credits"),
            "line 7: the reason credits does not go with a game that was not played to its end",
        ),
        (
            edit(6, places=[1, 2]),
            "line 7: 2 places and 0 credits for 2 seats; a game played to its end has one for each, any other none",
        ),
        (
            edit(6, complete=True, reason="cards", places=[1, 2], credits=[5, 4], reasons=["normal"] * 2),
            "line 7: the result is that of a whole game, but the choices end before the game does",
        ),
    ],
)
def test_a_wrong_field_is_named_also_when_the_chain_is_right(
    tmp_path: Path, change: Callable[[list[dict[str, Any]]], None], expected: str
) -> None:
    assert refusal(rewritten(short(tmp_path / "g.jsonl"), change)) == expected


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (b'"n":1,', b'"n":1,"n":1,', '"n" is a duplicate key'),
        (b'"n":1,', b'"n":NaN,', '"NaN" is not a number in JSON'),
        (b'"n":1,', b'"n":1e999,', '"1e999" is too large for a number'),
        (b'"n":1,', b'"n":,', "the line is not JSON"),
        (b'"n":1,', b'"n":"\xc3\xa9",', "the line is not ASCII"),
    ],
)
def test_json_is_read_strictly(tmp_path: Path, old: bytes, new: bytes, expected: str) -> None:  # S075, S076
    from hashlib import sha256

    path = short(tmp_path / "g.jsonl")
    lines = path.read_bytes().splitlines(keepends=True)
    body = lines[1].replace(old, new)[: -len(',"hash":""}\n') - 64]
    previous = lines[0][-67:-3]
    link = sha256(previous + body).hexdigest().encode()
    lines[1] = body + b',"hash":"' + link + b'"}\n'
    path.write_bytes(b"".join(lines))
    assert refusal(path).startswith("line 2: ")
    assert expected in refusal(path)


def test_a_line_after_the_result_is_refused(tmp_path: Path) -> None:
    path = rewritten(short(tmp_path / "g.jsonl"), lambda lines: lines.append(lines[1]))
    assert refusal(path) == "line 8: there is a line after the result; nothing may follow it"


def test_a_choice_that_is_not_legal_is_refused(tmp_path: Path) -> None:
    path = rewritten(short(tmp_path / "g.jsonl"), lambda lines: lines[1].update(seat=1 - lines[1]["seat"]))
    assert refusal(path).startswith("line 2: the choice is not legal: seat ")


def test_an_index_that_is_not_offered_is_refused(tmp_path: Path) -> None:
    path = rewritten(short(tmp_path / "g.jsonl"), edit(2, choice=9000))
    assert refusal(path).startswith("line 3: choice 9000 of seat ")


def test_the_text_of_a_choice_must_be_that_of_its_index(tmp_path: Path) -> None:
    path = short(tmp_path / "g.jsonl")
    text = read_record(path).choices[0].text
    rewritten(path, edit(1, option="pass"))
    assert refusal(path).endswith(f'is "{text}", but the record says "pass"')


def test_a_default_that_is_none_is_refused(tmp_path: Path) -> None:
    path = short(tmp_path / "g.jsonl")
    place = next(c.number for c in read_record(path).choices if c.index)
    rewritten(path, edit(place, fault="timeout"))
    assert refusal(path).startswith(f"line {place + 1}: a default was played for the seat, but ")


@pytest.mark.parametrize("field", ["places", "credits", "reason", "digest"])
def test_the_result_must_be_that_of_the_game(tmp_path: Path, field: str) -> None:
    values = {"places": [1, 1], "credits": [0, 0], "reason": "turns", "digest": "0" * 64}
    path = rewritten(whole(tmp_path / "g.jsonl"), edit(-1, **{field: values[field]}))
    assert refusal(path).startswith(f"line {len(path.read_bytes().splitlines())}: the ")


def test_a_digest_that_is_not_that_of_the_state_is_refused(tmp_path: Path) -> None:
    path = rewritten(whole(tmp_path / "g.jsonl"), edit(50, digest="0" * 64))
    assert refusal(path).startswith("line 51: the digest of the state is ")


def test_another_seed_than_the_committed_one_is_refused(tmp_path: Path) -> None:
    path = rewritten(whole(tmp_path / "g.jsonl"), edit(0, seed="8"))
    assert refusal(path).startswith("line 1: the commitment is ")


def test_another_version_of_the_rules_is_named(tmp_path: Path) -> None:  # S054
    path = rewritten(whole(tmp_path / "g.jsonl"), edit(0, rules=0, software="import-export-arena 0.0.9"))
    expected = (
        "the record needs version 0 of the rules, and this program plays version 1;"
        " take the release that wrote it (import-export-arena 0.0.9)"
    )
    assert refusal(path) == expected


def test_another_catalogue_is_named(tmp_path: Path) -> None:  # S054
    path = rewritten(whole(tmp_path / "g.jsonl"), edit(0, catalogue={"name": "printed", "hash": "0" * 64}))
    assert refusal(path).startswith(
        'the record needs the catalogue "printed" 000000000000..., and this is "house"'
    )


def test_a_retired_seat_stays_retired(tmp_path: Path) -> None:
    path = tmp_path / "g.jsonl"
    with Journal.create(path, header()) as journal:
        game = Game.new(Options(2), 7)
        journal.play(game, game.to_act[0], 0, fault=EndReason.TIMEOUT, retired=True)
        play(journal, game)
        journal.result(finished(game, (EndReason.TIMEOUT,) * 2, journal.choices))
    assert refusal(path).endswith("had been retired, but it plays again")
