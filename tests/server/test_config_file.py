"""The file of settings: what may stand in it, and the one sentence for what is wrong (S061)."""

from __future__ import annotations

import pytest

from arena.server import Config
from arena.server.config_file import MAX_FILE, PATHS, TABLES, ConfigError, read_config
from tests.toml_values import VALUES


@pytest.fixture
def written(tmp_path):
    path = tmp_path / "arena.toml"

    def write(text):
        path.write_text(text)
        return path

    return write


def refused(path, **given):
    with pytest.raises(ConfigError) as error:
        read_config(path, given)
    return str(error.value)


def test_without_a_file_all_is_as_the_defaults_have_it():
    assert read_config(None, {}) == Config()


def test_the_command_line_lies_over_the_file_key_by_key(written):
    path = written("port = 1\nrate = 7\n[clock]\nmove = 3\n")
    config = read_config(path, {"port": 2, "clock": {"bank": 1.0}})
    assert (config.port, config.rate) == (2, 7)
    assert (config.clock.move, config.clock.bank, config.clock.increment) == (3.0, 1.0, 0.5)


def test_paths_of_the_file_are_relative_to_it_and_those_of_the_command_line_are_not(written, monkeypatch):
    monkeypatch.setenv("HOME", "/home/somebody")
    path = written('data = "games/"\ntokens = "~/tokens"\ncert = "/etc/cert.pem"\n')
    config = read_config(path, {"key": "key.pem"})
    assert config.data == path.parent / "games"
    assert [str(each) for each in (config.tokens, config.cert, config.key)] == [
        "/home/somebody/tokens",
        "/etc/cert.pem",
        "key.pem",
    ]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("seats = 3\n", 'line 1: there is no setting "seats"; did you mean offer.seats?'),
        ("[offer]\nport = 3\n", 'line 2: there is no setting "port" in [offer]; did you mean port?'),
        ("port = 7171\nrat = 3\n", 'arena.toml, line 2: there is no setting "rat"; did you mean rate?'),
        (
            "[clock]\nmvoe = 1\n",
            'arena.toml, line 2: there is no setting "mvoe" in [clock]; did you mean move?',
        ),
        ("[server]\nport = 7171\n", 'arena.toml, line 1: there is no setting "server"; there are'),
        (
            "[offer.rules]\nset = []\n",
            'line 2: there is no setting "set" in [offer.rules]; did you mean sets?',
        ),
        ('"odd\\nkey" = 1\n', 'arena.toml: there is no setting "odd\\nkey"; did you mean key?'),
        (
            "\nport = 70000\n",
            "arena.toml, line 2: port is 70000; input should be less than or equal to 65535",
        ),
        ('port = "7171"\n', 'line 1: port is "7171"; input should be a valid integer'),
        ("rate = true\n", "line 1: rate is true; input should be a valid integer"),
        ("[clock]\nmove = nan\n", "line 2: clock.move is nan; input should be a finite number"),
        ("[clock]\nmove = 0.02\n", "arena.toml, line 2: clock.move is 0.02; give 0.05 seconds or more"),
        ("hello = inf\n", "line 1: hello is inf; input should be"),
        ("clock = 3\n", "line 1: clock is 3; input should be an object"),
        ('[offer.rules]\nsets = ["capitol"]\n', 'line 2: offer.rules.sets is "capitol"; input should be'),
        ('data = ""\n', "line 1: data is empty; name a path"),
        ("ready = 0\n", "line 1: ready is 0; input should be greater than or equal to 0.01"),
        ("outbox = 1\n", "line 1: outbox is 1; input should be greater than or equal to 8192"),
        ("keepalive = 100_000\n", "line 1: keepalive is 100000; input should be less than or equal to 65534"),
        ("", "arena.toml sets nothing; write a line like `port = 7171` into it"),
        ("port = \n", "arena.toml is not TOML: Invalid value (at line 1, column 8)"),
        ("x = " + "[" * 5000, "arena.toml is not TOML:"),
        ("port = 1" + "0" * 5000, "arena.toml has a number of thousands of digits"),
        ("port = 0x1" + "0" * 5000, "arena.toml has a number of thousands of digits"),
        ('data = "a\\u0000b"\n', "no path has a zero byte"),
        ('cert = "a\\u0000b"\n', "no path has a zero byte"),
        ('key = "a\\u0000b"\n', "no path has a zero byte"),
        ('tokens = "a\\u0000b"\n', "no path has a zero byte"),
        ('host = "a\\u0000b"\n', "line 1: host is"),
        ('host = "a..b"\n', 'line 1: host is "a..b"; no machine has this name'),
        (f'http_host = "{"a" * 64}"\n', "no machine has this name: its parts have 1 to 63 letters"),
    ],
)
def test_s061_what_is_wrong_is_told_with_its_place(written, text, told):  # S061
    assert told in refused(written(text))


def types_of(table, key):
    """The types of TOML that a setting takes."""
    if (name := f"{table}.{key}".lstrip(".")) in TABLES:
        return {"table"}
    if name == "offer.rules.sets":
        return {"list"}
    if name in PATHS:
        return {"text"}
    default = Config()
    for part in name.split("."):
        default = getattr(default, part)
    return {
        str: {"text"},
        bool: {"true or false"},
        int: {"whole number"},
        float: {"whole number", "number"},
        type(None): {"whole number", "number"},  # seconds that may be unset
    }[type(default)]


@pytest.mark.parametrize("key", sorted(f"{table}.{key}" for table, keys in TABLES.items() for key in keys))
def test_s061_each_value_of_another_type_is_named_with_its_key(written, key):  # S061
    table, _, name = key.rpartition(".")
    heading = f"[{table}]\n" if table else "\n"
    for kind in VALUES.keys() - types_of(table, name):
        told = refused(written(f"{heading}{name} = {VALUES[kind]}\n"))
        assert f"arena.toml, line 2: {key.lstrip('.')} is " in told, kind
        assert ("no setting is a date or a time" in told) == (
            kind in ("date", "time", "date and time", "moment")
        )


def test_s063_user_of_a_path_whom_the_machine_does_not_know_is_told(written):  # S063
    with pytest.raises(
        ConfigError, match=r"line 1: data is \"~no-such-user/x\", and this machine does not know"
    ):
        read_config(written('data = "~no-such-user/x"\n'), {})


def test_s061_a_folder_no_file_and_no_text_are_told_apart(tmp_path):  # S061
    (tmp_path / "latin").write_bytes(b"host = '\xe4'\n")
    (tmp_path / "large").write_bytes(b"#" * (MAX_FILE + 1))
    assert "cannot be read: Is a directory" in refused(tmp_path)
    assert "cannot be read: No such file" in refused(tmp_path / "nothing")
    assert "is not UTF-8, from byte 8 on" in refused(tmp_path / "latin")
    assert "is it the right file?" in refused(tmp_path / "large")


def test_a_wrong_value_of_the_command_line_is_told_too():
    assert refused(None, hello=float("nan")) == "hello is nan; input should be a finite number"
