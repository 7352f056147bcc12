"""The tournament file on commands, and on those who log in: what it may say, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from config_files import HASH, REMOTE, TOKEN, TWO, program, read, refusal
from trustme import CA

from tournaments.checks import ConfigError
from tournaments.entrants import Door, Entrant
from tournaments.schedules import pairings


def test_all_that_may_be_said_of_a_command(tmp_path: Path) -> None:
    (tmp_path / "bots").mkdir()
    program(tmp_path / "cy")
    lines = """
        [[entrant]]
        name = "Cy"
        command = ["./cy"]
        folder = "bots"
        environment = { THREADS = "1", EMPTY = "" }
        samples = true
        start = 2.5
        memory = 512
        cpu = 60
        wrapper = ["nice", "-n", "5"]
        """
    what = read(tmp_path, TWO + lines)
    assert what.entrants[2] == Entrant(
        "Cy",
        command=("./cy",),
        folder="bots",
        environment=(("THREADS", "1"), ("EMPTY", "")),
        samples=True,
        start=2.5,
        memory=512,
        cpu=60,
        wrapper=("nice", "-n", "5"),
    )
    plain = read(tmp_path, f'{TWO}[[entrant]]\nname = "Cy"\ncommand = ["./cy"]\n')
    assert what.settings()["entrant Cy"] != plain.settings()["entrant Cy"] == '{"command": ["./cy"]}'


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('folder = "none"', 'entrant 3.folder is "none"; expected a folder that is there'),
        ("environment = { A = 1 }", "entrant 3.environment is"),
        ('environment = { "A=B" = "1" }', "entrant 3.environment is"),
        ('environment = "A=1"', 'entrant 3.environment is "A=1"; expected a table of texts'),
        ("start = -1", "entrant 3.start is -1; expected seconds from 0 to 600"),
        ("start = nan", "entrant 3.start is nan"),
        ("memory = 1.5", "entrant 3.memory is 1.5; expected a whole number"),
        ("cpu = true", "entrant 3.cpu is true; expected a whole number"),
        ('wrapper = "nice"', 'entrant 3.wrapper is "nice"; expected a list of texts'),
        ('odd = "x"', 'entrant 3 has the unknown key "odd"'),
    ],
)
def test_wrong_key_of_a_command_is_named(tmp_path: Path, line: str, told: str) -> None:
    lines = f'[[entrant]]\nname = "Cy"\ncommand = ["./cy"]\n{line}\n'
    assert refusal(tmp_path, TWO + lines).startswith(told)


@pytest.mark.parametrize(
    ("lines", "line", "told"),
    [
        (
            'command = ["./gone"]',
            11,
            'command: there is no program "./gone" in {here}; give',
        ),
        (
            'command = ["./bots"]',
            11,
            'command: there is no program "./bots" in {here}; give',
        ),
        (
            'command = ["./notes"]',
            11,
            "command: the file {here}/notes cannot be started; make it executable",
        ),
        (
            'command = ["gone-2"]',
            11,
            'command: there is no program "gone-2" along the entrant\'s PATH; give one',
        ),
        (
            'command = ["./my bot"]\nfolder = "bots"',
            11,
            'command: there is no program "./my bot" in',
        ),
        ('command = ["sh"]\nenvironment = { PATH = "bots" }', 11, 'command: there is no program "sh" along'),
        ('memory = 9\ncommand = ["./gone"]', 12, 'command: there is no program "./gone" in'),
        (
            'command = ["sh"]\nwrapper = ["./gone"]',
            12,
            'wrapper: there is no program "./gone" in',
        ),
    ],
)
def test_program_that_cannot_be_started_is_named_with_its_line(
    tmp_path: Path, lines: str, line: int, told: str
) -> None:
    (tmp_path / "bots").mkdir()
    (tmp_path / "notes").write_text("none")
    with pytest.raises(ConfigError) as caught:
        read(tmp_path, f'{TWO}# the third\n[[entrant]]\nname = "Cy"\n{lines}\n')
    place = f"{tmp_path}/spring.toml, line {line}: entrant 3."
    assert str(caught.value).startswith(place + told.format(here=tmp_path))


@pytest.mark.parametrize(
    "lines",
    [
        'command = ["cy"]\nenvironment = { PATH = "/nowhere:bots" }',
        'command = ["./cy"]\nfolder = "bots"\ncpu = 5',
        'command = ["{here}/bots/cy"]',
        'command = ["./in the box alone"]\nwrapper = ["sh", "-c"]',
    ],
)
def test_program_is_looked_for_as_it_is_started(tmp_path: Path, lines: str) -> None:
    (tmp_path / "bots").mkdir()
    program(tmp_path / "bots" / "cy")
    what = read(tmp_path, f'{TWO}[[entrant]]\nname = "Cy"\n{lines.replace("{here}", str(tmp_path))}\n')
    assert len(what.entrants) == 3


def test_keys_of_commands_are_refused_for_bots(tmp_path: Path) -> None:
    told = refusal(tmp_path, f'{TWO}[[entrant]]\nname = "Cy"\nbot = "random"\nmemory = 5\n')
    assert told.startswith("entrant 3.memory is for commands; leave it out")


# Remote entrants


def test_of_a_token_only_its_hash_is_kept_and_the_hash_may_stand_in_the_file(tmp_path: Path) -> None:  # S071
    by_token = read(tmp_path, TWO + REMOTE)
    by_hash = read(tmp_path, f'{TWO}[[entrant]]\nname = "Cy"\nsha256 = "{HASH}"\n')
    assert by_token == by_hash
    assert by_token.entrants[2].sha256 == HASH
    assert by_token.remote == {"Cy"}
    assert TOKEN not in repr(by_token) + str(by_token.settings())
    assert HASH not in repr(by_token) + str(by_token.settings())


def test_another_token_is_the_same_tournament(tmp_path: Path) -> None:
    before = read(tmp_path, TWO + REMOTE).settings()
    assert read(tmp_path, TWO + REMOTE.replace(TOKEN, f"{TOKEN}-2")).settings() == before


def test_tables_share_no_deals_when_a_program_lives_on_from_one_to_the_next(tmp_path: Path) -> None:
    """It could remember them; those that are started anew cannot."""
    start = '[tournament]\nseats = 2\n[[entrant]]\nname = "Dee"\nbot = "random"\n'
    alike = {pairing.seed for pairing in pairings(read(tmp_path, start + TWO).schedule())}
    assert len(alike) == 1
    own = {
        pairing.block: pairing.seed for pairing in pairings(read(tmp_path, start + TWO + REMOTE).schedule())
    }
    assert len(set(own.values())) == len(own) == 6


def test_all_that_may_be_said_of_the_server(tmp_path: Path) -> None:
    CA().issue_cert("localhost").private_key_and_cert_chain_pem.write_to_path(tmp_path / "both.pem")
    text = """
        [server]
        host = "0.0.0.0"
        port = 0
        cert = "both.pem"
        key = "both.pem"
        wait = 10
        resume = 2.5
        """
    door = read(tmp_path, text + TWO + REMOTE).door
    assert door == Door("0.0.0.0", 0, tmp_path / "both.pem", tmp_path / "both.pem", 10, 2.5)
    assert read(tmp_path, TWO + REMOTE).door == Door()


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('host = ""', 'server.host is ""; expected an address to listen on'),
        ('host = "a b"', "server.host is"),
        ("host = 7", "server.host is 7; expected a text"),
        ("port = 70000", "server.port is 70000; expected a whole number from 0 to 65535"),
        ("wait = 0", "server.wait is 0; expected seconds from 1 to 86400"),
        ("wait = inf", "server.wait is inf"),
        ("resume = -1", "server.resume is -1; expected seconds from 0"),
        ('cert = "x.pem"', "server.cert and server.key go together; give both, or neither"),
        ('cert = "x.pem"\nkey = "x.pem"', "server.cert"),
        ('listen = "127.0.0.1:7171"', '[server] has the unknown key "listen"; its keys are host, port'),
    ],
)
def test_wrong_key_of_the_server_is_named(tmp_path: Path, line: str, told: str) -> None:
    assert refusal(tmp_path, f"[server]\n{line}\n{TWO}{REMOTE}").startswith(told)


def test_server_without_anybody_who_logs_in_is_refused(tmp_path: Path) -> None:
    told = refusal(tmp_path, f"[server]\nport = 7171\n{TWO}")
    assert told.startswith("[server] is for entrants with a token, and there is none; leave it out")


def test_two_entrants_with_one_token_are_refused(tmp_path: Path) -> None:
    told = refusal(tmp_path, f'{TWO}{REMOTE}[[entrant]]\nname = "Dee"\nsha256 = "{HASH}"\n')
    assert told == 'entrant 4 has the token of "Cy"; give each entrant a token of its own'


@pytest.mark.parametrize("line", [f'token = "{TOKEN} "', f"sha256 = '{TOKEN}'", f'toker = "{TOKEN}"'])
def test_no_sentence_shows_a_token(tmp_path: Path, line: str) -> None:  # S071
    told = refusal(tmp_path, f'{TWO}[[entrant]]\nname = "Cy"\n{line}\n')
    assert TOKEN not in told
