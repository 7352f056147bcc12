"""`arena serve` before it serves: its options, `--check`, and addresses that cannot be had; `arena token`."""

from __future__ import annotations

import errno
import os
import socket

import pytest
import trustme
from click.testing import CliRunner
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    PrivateFormat,
    load_pem_private_key,
)

from arena.cli.serve import command
from arena.cli.token import command as token_command
from arena.server import Config
from arena.server.datafolder import DataFolder


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return lambda *words: CliRunner().invoke(command, list(words))


@pytest.fixture
def token(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return lambda *words: CliRunner().invoke(token_command, list(words))


def test_check_says_that_a_server_could_start_and_ends(run, tmp_path):
    (tmp_path / "arena.toml").write_text("port = 4000\n")
    done = run("--config", "arena.toml", "--host", "0.0.0.0", "--check")
    assert done.exit_code == 0
    assert "would listen on 0.0.0.0:4000" in done.output


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--port", "70000"), "'70000' is out of range; give a whole number from 0 to 65535"),
        (("--games", "5x"), "--games"),
        (("--move", "2,5"), "--move"),
        (("--per-address", "0"), "--per-address"),
        (("--hello", "nan"), "'nan' is not a number; give one from 0.01 to 86400"),
        (("--hello", "-3"), "'-3' is out of range; give a number from 0.01 to 86400"),
        (("--move", "0.01"), "--move"),
        (("--cert", "chain.pem"), "cert and key go together"),
        (("--cert", "chain.pem", "--key", "key.pem"), "chain.pem cannot be read: No such file"),
        (("--only-tokens",), "only_tokens lets nobody in without a file of tokens"),
        (("--tokens", "nothing"), "the token file nothing cannot be read"),
        (("--config", "nothing.toml"), "nothing.toml cannot be read"),
        (("--data", "/dev/null/x"), "records cannot be written to /dev/null/x"),
        (("--data", "\udcff"), 'data is "\\udcff", which is not UTF-8'),
        (("--data", "a\0b"), "a\\x00b has a zero byte"),
    ],
)
def test_s060_a_wrong_setting_is_named_and_nothing_starts(run, words, told):  # S060
    done = run(*words, "--check")
    assert done.exit_code == 2
    assert told in " ".join(done.output.split())
    assert "Traceback" not in done.output


@pytest.mark.parametrize("start", [["--check"], ["--port", "0", "--no-http"]])
@pytest.mark.parametrize(
    ("number", "told"),
    [
        (errno.ENOSPC, "No space left on device; make room, or name another folder"),
        (errno.EROFS, "Read-only file system; name another folder"),
    ],
)
def test_s061_a_full_or_read_only_folder_is_told_before_the_first_game(
    run, tmp_path, monkeypatch, start, number, told
):  # S061
    def full(fd):
        assert os.fstat(fd).st_size > 0
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", full)
    done = run("--data", "data", *start)
    assert done.exit_code == 2
    assert done.output == f"Error: records cannot be written to data: {told}\n"
    assert list((tmp_path / "data").iterdir()) == []


@pytest.mark.parametrize("name", ["games", "seats"])
def test_the_folders_inside_are_tried_too(run, tmp_path, name):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / name).touch()
    done = run("--data", "data", "--check")
    assert done.exit_code == 2
    assert f"cannot be written to data/{name}: Not a directory; name another folder" in done.output
    (tmp_path / "data" / name).unlink()
    (tmp_path / "data" / name).symlink_to("nowhere")
    done = run("--data", "data", "--check")
    assert done.exit_code == 2
    assert f"cannot be written to data/{name}: No such file or directory; name another folder" in done.output


def test_setting_that_may_be_unset_is_a_number_where_it_is_set(run):
    assert run("--reveal-after", "2.5", "--check").exit_code == 0
    refused = run("--reveal-after", "soon", "--check")
    assert refused.exit_code == 2
    assert "'soon' is not a number; give one from 0 to 86400" in refused.output
    refused = run("--reveal-after", "2.5", "--no-reveal", "--check")
    assert refused.exit_code == 2
    assert "reveal = false keeps it back for good; give one of them" in refused.output


def test_s063_folders_are_taken_in_every_form(run, tmp_path, monkeypatch):  # S063
    monkeypatch.setenv("HOME", str(tmp_path))
    for form in "a", "b/", "~/c", str(tmp_path / "d"):
        assert run("--data", form, "--check").exit_code == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b", "c", "d"]


def test_a_port_in_use_is_told_with_its_remedy(run):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = run("--port", str(port))
    assert done.exit_code == 2
    assert f"127.0.0.1:{port} cannot be listened on: another program listens there" in done.output
    assert "--port" in done.output


def test_the_check_beside_a_server_that_runs_is_a_note(run, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken, DataFolder(Config(data=tmp_path)).held():
        port = str(taken.getsockname()[1])
        done = run("--data", str(tmp_path), "--port", port, "--http-port", port, "--check")
    assert done.exit_code == 0
    assert [line.partition(";")[0] for line in done.stderr.splitlines()] == [
        f"note: the data folder {tmp_path} is used by the process {os.getpid()}",
        f"note: another program listens on 127.0.0.1:{port}",
        f"note: another program listens on 127.0.0.1:{port}",
    ]
    assert run("--data", str(tmp_path), "--check", "--port", "0", "--http-port", "0").stderr == ""


def test_the_check_finds_an_address_that_cannot_be_had(run):
    done = run("--host", "192.0.2.1", "--check", "--no-http")
    assert done.exit_code == 2
    assert "192.0.2.1:7171 cannot be listened on" in done.output


def test_the_check_finds_a_lock_that_is_none(run, tmp_path):
    os.mkfifo(tmp_path / "server.lock")
    done = run("--data", str(tmp_path), "--check")
    assert done.exit_code == 2
    assert "cannot be used: its server.lock: it is not a file" in done.output


@pytest.fixture(scope="session")
def issued(tmp_path_factory):
    """Two certificates of one machine with their keys, and one key behind a password, as files."""
    folder = tmp_path_factory.mktemp("issued")
    authority = trustme.CA()
    for name in "one", "other":
        leaf = authority.issue_cert("127.0.0.1")
        leaf.cert_chain_pems[0].write_to_path(folder / f"{name}.pem")
        leaf.private_key_pem.write_to_path(folder / f"{name}.key")
    key = load_pem_private_key((folder / "one.key").read_bytes(), None)
    (folder / "locked.key").write_bytes(
        key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"secret"))
    )
    (folder / "cut.pem").write_bytes((folder / "one.pem").read_bytes()[:300])
    os.mkfifo(folder / "pipe")
    return folder


@pytest.mark.parametrize(
    ("cert", "key", "told"),
    [
        ("one.key", "one.pem", "one.key holds no certificate; are cert and key swapped?"),
        ("one.pem", "one.pem", "one.pem holds no private key"),
        ("one.pem", "other.key", "is not the one of the certificate"),
        ("one.pem", "locked.key", "locked.key is encrypted"),
        ("cut.pem", "one.key", "cut.pem or "),
        ("pipe", "one.key", "pipe cannot be read: it is not a file"),
    ],
)
def test_what_is_wrong_with_a_certificate_is_told_with_its_file(run, issued, cert, key, told):
    done = run("--cert", str(issued / cert), "--key", str(issued / key), "--check")
    assert done.exit_code == 2
    assert told in " ".join(done.output.split())


def test_a_name_that_only_looks_like_one_of_a_machine_is_told(run):
    done = run("--host", "\N{GRINNING FACE}.example", "--port", "0")
    assert done.exit_code == 2
    assert "cannot be listened on: [Errno 22] no machine has this name" in done.output


def test_an_address_of_another_machine_is_told_with_its_remedy(run):
    done = run("--host", "192.0.2.1", "--port", "0")
    assert done.exit_code == 2
    assert "no address of this machine" in done.output


def test_a_token_is_made_listed_and_revoked(token, tmp_path):
    made = token("create", "Ada", "--role", "spectator", "--days", "30")
    assert made.exit_code == 0
    secret = made.output.strip()
    assert len(secret) == 32
    assert token("create", "Bo").exit_code == 0
    assert token("revoke", "bo").exit_code == 0
    lines = [line.split("\t") for line in token("list").output.splitlines()]
    assert [(name, role, holds.split()[0]) for name, role, _, holds in lines] == [
        ("Ada", "spectator", "until"),
        ("Bo", "player", "revoked"),
    ]
    assert secret not in token("list").output + (tmp_path / "tokens").read_text()
    assert secret not in token("list", "--table").output


def test_tokens_are_a_table_with_a_heading_for_people(token, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    for name in "[red]Ada", "\uff3b界\uff3d", "x" * 32:
        assert token("create", name, "--days", "30").exit_code == 0
    heading, _, *rows = token("list", "--table").output.splitlines()
    assert heading.split() == ["Name", "Role", "Since", "Holds"]
    assert [row.split()[0] for row in rows] == ["[red]Ada", "\uff3b界\uff3d", "x" * 32]
    assert all("until" in row and len(row) <= 80 for row in rows)


@pytest.mark.parametrize("form", ["--table", "--tabs"])
def test_no_tokens_are_told_as_such(token, tmp_path, form):
    (tmp_path / "tokens").touch()
    done = token("list", form)
    assert (done.exit_code, done.stdout) == (0, "")
    assert done.stderr == "there are no tokens in tokens; `arena token create` makes one\n"


@pytest.mark.parametrize("name", ["\\u001b[2J", "\\u202ex", "a\\tb", "a\\nb", "\\ud800"])
@pytest.mark.parametrize("form", ["--table", "--tabs"])
def test_s072_no_name_in_the_file_reaches_the_terminal_that_could_move_it(
    token, tmp_path, name, form
):  # S072
    line = f'{{"name":"{name}","made":"2026-03-01T12:00:00Z","sha256":"{"0" * 64}"}}\n'
    (tmp_path / "tokens").write_text(line)
    done = token("list", form)
    assert done.exit_code == 2
    assert done.output == "Error: tokens, line 1, is no token; let `arena token create` write the lines\n"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("create", "a\x1b[1m"), "U+001B"),
        (("create", "x" * 33), "1 to 32 visible characters"),
        (("create", "Ada", "--days", "0"), "--days"),
        (("create", "Ada", "--role", "king"), "--role"),
        (("create", "Ada", "--file", "/dev/null/x"), "cannot be written"),
        (("revoke", "Nobody"), "there is no token file tokens; name yours with --file"),
        (("list",), "there is no token file tokens; name yours with --file"),
    ],
)
def test_what_cannot_be_done_with_tokens_is_one_sentence(token, words, told):
    done = token(*words)
    assert done.exit_code == 2
    assert told in " ".join(done.output.split())
    assert "Traceback" not in done.output
