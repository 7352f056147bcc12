"""The tournament file: what it may say, and one sentence with file and key for each mistake."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import pytest
from config_files import BOTS, HASH, REMOTE, TOKEN, TWO, program, read, refusal

from tournaments.belonging import Adopted, Mixed, adopt
from tournaments.checks import ConfigError
from tournaments.config import read_tournament, trial_of
from tournaments.entrants import Entrant
from tournaments.ratings import Sprt
from tournaments.schedules import Event, Trial


def test_all_that_a_file_may_say(tmp_path: Path) -> None:
    text = """
        [tournament]
        name = "Spring"
        format = "round-robin"
        seats = 2
        blocks = 3
        seed = 4
        folder = "out"
        [rules]
        market = true
        containers = "cards"
        [clock]
        move = 1
        bank = 2.5
        increment = 0.1
        grace = 0
        """
    tournament = read(tmp_path, text + TWO)
    assert (tournament.name, tournament.seats, tournament.blocks, tournament.seed) == ("Spring", 2, 3, 4)
    assert tournament.folder == tmp_path / "out"
    assert tournament.home == tmp_path
    assert tournament.rules.market
    assert tournament.clock.model_dump() == {"move": 1, "bank": 2.5, "increment": 0.1, "grace": 0}
    assert tournament.entrants == (
        Entrant("Ada", bot="greedy"),
        Entrant("Bo", command=("./my bot", "--fast")),
    )
    assert tournament.schedule().total == 6


@pytest.mark.parametrize(
    "path", sorted((Path(__file__).parents[2] / "examples").glob("*.toml")), ids=lambda path: path.name
)
def test_examples_are_tournaments(path: Path) -> None:
    assert next(read_tournament(path, BOTS | {"heuristic"}).schedule().rounds()).blocks


def test_mark_of_an_editor_and_ends_of_lines_mean_nothing(tmp_path: Path) -> None:
    text = TWO.replace("\n", "\r\n")
    assert read(tmp_path, f"\ufeff{text}") == read(tmp_path, TWO)


def test_two_entrants_are_enough_for_a_file(tmp_path: Path) -> None:
    tournament = read(tmp_path, TWO)
    assert (tournament.name, tournament.seats, tournament.blocks) == ("spring", 2, 1)
    assert tournament.folder == tmp_path / "runs" / "spring"


@pytest.mark.parametrize(
    "form", ["out", "out/", "./out", "x/../out", "{here}/out", "{here}/out/", "~/out", "~/out/"]
)
def test_every_form_of_the_folder_means_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:  # S063
    monkeypatch.setenv("HOME", str(tmp_path))
    tournament = read(tmp_path, f'[tournament]\nfolder = "{form.format(here=tmp_path)}"\n{TWO}')
    assert tournament.folder == tmp_path / "out"


def test_folder_is_relative_to_the_file_and_not_to_the_caller(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:  # S063
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    program(tmp_path / "my bot")
    (tmp_path / "spring.toml").write_text(f'[tournament]\nfolder = "out"\n{TWO}')
    assert read_tournament(Path("../spring.toml"), BOTS).folder == tmp_path / "out"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "is empty; it needs [tournament] and at least two [[entrant]]"),
        ("# nothing\n", "is empty"),
        (
            "[tournament\n",
            "is not TOML: Expected ']' at the end of a table declaration (at line 1, column 12)",
        ),
        ('name = "x"\nname = "y"\n', "is not TOML: Cannot overwrite a value (at line 2, column 11)"),
        (b"\xff", "is not UTF-8 at byte 0; save it as UTF-8"),
        ("[" * 5000, "is not TOML"),
        ("x" + ".x" * 100_000 + " = 1", "a key has over 100 parts; none has over two"),
        ("[" + "x." * 100_000 + "x]", "a key has over 100 parts"),
        ("y = {a = 1, " + "x." * 100_000 + "x = 1}", "a key has over 100 parts"),
        (f"# {'.' * 200} = 1", "is empty"),
        ("[event]\n" + TWO, 'the file has the unknown key "event"; its keys are tournament, rules,'),
        ("[tournament]\nround = 3\n" + TWO, '[tournament] has the unknown key "round"; its keys are name,'),
        ("tournament = 3\n" + TWO, "tournament is 3; expected a table, as [tournament]"),
        ("[rules]\nmaket = true\n" + TWO, '[rules] has the unknown key "maket"'),
        ("[clock]\nseconds = 1\n" + TWO, '[clock] has the unknown key "seconds"'),
        (TWO + "nme = 3\n", 'entrant 2 has the unknown key "nme"'),
        ("[tournament]\n", "the file has no [[entrant]]; give 2 to 1000, each with double brackets"),
        (
            "[entrant]\nname = 'x'\n",
            "entrant is an object; expected 2 to 1000 tables with double brackets, as [[entrant]]",
        ),
        ("[[entrant]]\nname = 'x'\nbot = 'random'\n", "the file has 1 [[entrant]]; give 2 to 1000"),
    ],
)
def test_file_that_is_no_tournament_is_told_apart(
    tmp_path: Path, text: str | bytes, told: str
) -> None:  # S061
    assert refusal(tmp_path, text).startswith(told)


def test_missing_file_and_folder_are_told_apart(tmp_path: Path) -> None:  # S061
    with pytest.raises(ConfigError, match=r"none\.toml cannot be read: No such file or directory"):
        read_tournament(tmp_path / "none.toml", BOTS)
    with pytest.raises(ConfigError, match="is a folder; name the tournament file in it"):
        read_tournament(tmp_path, BOTS)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('seats = "4"', 'tournament.seats is "4"; expected a whole number from 2 to 6'),
        ("seats = 1", "tournament.seats is 1; expected"),
        ("seats = 7", "tournament.seats is 7; expected"),
        ("seats = true", "tournament.seats is true; expected"),
        ("seats = 3", "tournament.seats: 2 entrants cannot fill a table of 3; add entrants or lower seats"),
        ("blocks = 0", "tournament.blocks is 0; expected a whole number from 1 to 100000"),
        ("blocks = 2.0", "tournament.blocks is 2.0; expected"),
        ("blocks = nan", "tournament.blocks is nan; expected"),
        ("seed = -1", "tournament.seed is -1; expected"),
        (f"seed = {10**40}", "tournament.seed is 1000"),
        ('format = "swis"', 'tournament.format is "swis"; expected one of round-robin'),
        ("name = 3", "tournament.name is 3; expected a name"),
        ('name = "a\\u0007b"', "tournament.name:"),
        ('folder = ""', 'tournament.folder is ""; expected the path of a folder'),
        ("folder = 3", "tournament.folder is 3; expected a text"),
        ('folder = "~nobody-of-this-name/x"', "tournament.folder is"),
        ('folder = "spring.toml"', "tournament.folder is"),
        (f'folder = "{"x" * 300}"', "tournament.folder is"),
    ],
)
def test_wrong_value_is_named_with_its_key(tmp_path: Path, line: str, told: str) -> None:  # S060, S061
    assert refusal(tmp_path, f"[tournament]\n{line}\n{TWO}").startswith(told)


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ("[clock]\nmove = 0", "clock.move is 0; expected seconds from 0.05 to 86400"),
        ("[clock]\nmove = true", "clock.move is true; expected"),
        ('[clock]\nmove = "2,5"', 'clock.move is "2,5"; expected'),
        ("[clock]\nbank = -1", "clock.bank is -1; expected seconds from 0 to 86400"),
        ("[clock]\nbank = inf", "clock.bank is inf; expected"),
        ("[clock]\ngrace = nan", "clock.grace is nan; expected"),
        ('[rules]\nsets = "capital"', 'rules.sets is "capital"; expected a list of names of sets'),
        ('[rules]\nsets = ["atlantis"]', "rules.sets: there is no set 'atlantis'"),
        ('[rules]\ncontainers = "glass"', "rules.containers: containers is"),
        ("[rules]\nmarket = 1", "rules.market is 1; expected true or false"),
    ],
)
def test_wrong_rule_or_clock_is_named_with_its_key(tmp_path: Path, lines: str, told: str) -> None:  # S060
    assert refusal(tmp_path, f"{lines}\n{TWO}").startswith(told)


@pytest.mark.parametrize(
    ("entrant", "told"),
    [
        ('name = "Cy"', "entrant 3 has nothing that plays; give exactly one of bot, command, token, sha256"),
        (
            'name = "Cy"\nbot = "random"\ncommand = ["x"]',
            "entrant 3 has bot and command; give exactly one of",
        ),
        ('name = "Cy"\nbot = "gredy"', 'entrant 3.bot is "gredy"; expected one of greedy, random, search'),
        (
            'name = "Cy"\ncommand = "./bot --fast"',
            'entrant 3.command is "./bot --fast"; expected a list of texts',
        ),
        ('name = "Cy"\ncommand = []', "entrant 3.command is"),
        (
            'name = "Cy"\nbot = "search"\niteration = 9',
            'entrant 3 has the unknown key "iteration"; its keys are name, bot,',
        ),
        (
            'name = "Cy"\nbot = "search"\niterations = 0',
            "entrant 3.iterations is 0; expected a whole number from 1 to 100000",
        ),
        ('name = "Cy"\nbot = "search"\niterations = "9"', 'entrant 3.iterations is "9"; expected a whole'),
        (
            'name = "Cy"\nbot = "greedy"\niterations = 9',
            "entrant 3.iterations is for the bot search; leave it out",
        ),
        (
            'name = "Cy"\nbot = "serch"\niterations = 9',
            'entrant 3.bot is "serch"; expected one of greedy, random, search',
        ),
        (
            'name = "Cy"\ncommand = ["x"]\niterations = 9',
            "entrant 3.iterations is for shipped bots; leave it out",
        ),
        ('name = "Cy"\ncommand = [""]', "entrant 3.command is"),
        (f'name = "Cy"\ncommand = ["x"]\nfolder = "{"x" * 300}"', "entrant 3.folder is"),
        ('name = "Cy"\ncommand = ["x", 3]', "entrant 3.command is"),
        ('bot = "random"', "entrant 3.name is null; expected a name"),
        ('name = ""\nbot = "random"', "entrant 3.name:"),
        (
            'name = "Cy"\nbot = "random"\ngames = 2',
            "entrant 3.games is for entrants with a token; leave it out",
        ),
        ('name = "Cy"\ntoken = ""', "entrant 3.token is none; expected 16 to 200 printable ASCII characters"),
        ('name = "Cy"\ntoken = "tooshort"', "entrant 3.token is none"),
        ('name = "Cy"\ntoken = 12345678901234567890', "entrant 3.token is none"),
        (f'name = "Cy"\ntoken = "{"x" * 201}"', "entrant 3.token is none"),
        ('name = "Cy"\ntoken = "with a blank in the midst"', "entrant 3.token is none"),
        (f'name = "Cy"\nsha256 = "{"A" * 64}"', "entrant 3.sha256 is none; expected 64 digits from 0 to f"),
        (f'name = "Cy"\nsha256 = "{"a" * 63}"', "entrant 3.sha256 is none"),
        (
            f'name = "Cy"\nsha256 = "{HASH}"\ntoken = "{TOKEN}"',
            "entrant 3 has token and sha256; give exactly",
        ),
        (f'name = "Cy"\ntoken = "{TOKEN}"\ngames = 0', "entrant 3.games is 0; expected a whole number"),
        (f'name = "Cy"\ntoken = "{TOKEN}"\ncpu = 5', "entrant 3.cpu is for commands; leave it out"),
    ],
)
def test_wrong_entrant_is_named_by_its_number(tmp_path: Path, entrant: str, told: str) -> None:
    assert refusal(tmp_path, f"{TWO}[[entrant]]\n{entrant}\n").startswith(told)


@pytest.mark.parametrize("name", ["Ada", "ADA", "ada", "ada "])
def test_two_entrants_of_one_name_are_refused(tmp_path: Path, name: str) -> None:  # S062
    told = refusal(tmp_path, f'{TWO}[[entrant]]\nname = "{name}"\nbot = "random"\n')
    assert told.startswith("entrant 3")
    assert "same name" in told or "blank" in told or "space" in told


def test_budget_of_a_search_is_told_to_it_and_in_the_settings(tmp_path: Path) -> None:
    third = '[[entrant]]\nname = "Cy"\nbot = "search"\n'
    what, other = (read(tmp_path, f"{TWO}{third}{more}") for more in ("iterations = 9\n", ""))
    assert what.entrants[2] == Entrant("Cy", bot="search", iterations=9)
    assert what.settings()["entrant Cy"] == '{"bot": "search", "iterations": 9}'
    assert other.settings()["entrant Cy"] == '{"bot": "search"}'


def test_more_blocks_and_entrants_keep_the_settings(tmp_path: Path) -> None:
    fewer = read(tmp_path, f"[tournament]\nseats = 2\nblocks = 1\n{TWO}").settings()
    third = '[[entrant]]\nname = "Cy"\nbot = "random"\n'
    more = read(tmp_path, f"[tournament]\nseats = 2\nblocks = 2\n{TWO}{third}").settings()
    assert adopt(fewer, more, {"Ada", "Bo"}, 2) == Adopted(more, ("Cy",), ())


@pytest.mark.parametrize(
    "line", ['[tournament]\nname = "other"', "[tournament]\nseed = 2", "[clock]\nmove = 2"]
)
def test_what_results_depend_on_is_in_the_settings(tmp_path: Path, line: str) -> None:
    assert read(tmp_path, f"{line}\n{TWO}").settings() != read(tmp_path, TWO).settings()


@pytest.mark.parametrize(
    ("lines", "total"),
    [
        ('format = "gauntlet"\nseats = 2\nblocks = 2', 8),
        ('format = "gauntlet"\nseats = 2\nchallengers = ["Cy"]', 4),
        ('format = "swiss"\nseats = 2\nblocks = 3\nrounds = 4', 24),
        ('format = "swiss"\nseats = 2', 4),
        ('format = "knockout"\nseats = 2', None),
        ('format = "double-knockout"\nseats = 3', None),
        ('format = "ladder"\nseats = 2\nerror = 0.1', None),
        ('format = "sprt"\nseats = 3', None),
    ],
)
def test_every_format_is_scheduled(tmp_path: Path, lines: str, total: int | None) -> None:
    third = '[[entrant]]\nname = "Cy"\nbot = "random"\n'
    schedule = read(tmp_path, f"[tournament]\n{lines}\n{TWO}{third}").schedule()
    assert schedule.total == total
    assert next(schedule.rounds()).blocks


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ("rounds = 3", "tournament.rounds means nothing in the format round-robin; leave it out, or take"),
        ('format = "swiss"\nerror = 0.1', "tournament.error means nothing in the format swiss"),
        ('format = "swiss"\nrounds = 0', "tournament.rounds is 0; expected a whole number from 1 to 1000"),
        ('format = "ladder"\nerror = 0.9', "tournament.error is 0.9; expected a chance from 0.0001 to 0.4"),
        ('format = "ladder"\nerror = nan', "tournament.error is nan; expected a chance"),
        ('format = "gauntlet"\nchallengers = "Ada"', 'tournament.challengers is "Ada"; expected a list'),
        ('format = "gauntlet"\nchallengers = ["Eve"]', 'tournament.challengers is "Eve"; expected the name'),
        (
            'format = "gauntlet"\nchallengers = []',
            "tournament.challengers: the gauntlet has no challenger; name at least one",
        ),
        (
            'format = "gauntlet"\nseats = 3',
            "tournament.seats: a field of 1 leaves seats empty at a table of 3",
        ),
        (
            'format = "swiss"\nseats = 3',
            "tournament.seats: 2 entrants cannot fill a table of 3; add entrants",
        ),
    ],
)
def test_wrong_key_of_a_format_is_named(tmp_path: Path, lines: str, told: str) -> None:
    assert refusal(tmp_path, f"[tournament]\n{lines}\n{TWO}").startswith(told)


def test_two_versions_are_told_in_a_table_of_their_own(tmp_path: Path) -> None:
    third = '[[entrant]]\nname = "Cy"\nbot = "random"\n'
    start = f'[tournament]\nname = "x"\nseed = 4\nformat = "sprt"\n{TWO}{third}'
    what = read(
        tmp_path, start + '[sprt]\nnew = "Cy"\nold = "Ada"\nelo0 = -5\nelo1 = 5\nalpha = 0.1\nbeta = 0.2\n'
    )
    expected = Trial(Event("x", 4, shared_deals=False), "Cy", "Ada", ("Bo",), 3, Sprt(-5, 5, 0.1, 0.2))
    assert what.schedule() == trial_of(what.settings()) == expected
    assert read(tmp_path, start).schedule() == replace(
        expected, new="Ada", old="Bo", others=("Cy",), test=Sprt(0, 10)
    )
    assert trial_of(read(tmp_path, TWO).settings()) is None


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ('new = "Eve"', 'sprt.new is "Eve"; expected the name of an [[entrant]]'),
        ('new = "Bo"\nold = "Bo"', 'sprt.old is "Bo"; expected another entrant than sprt.new'),
        ("elo0 = 10", "sprt.elo1 is 10.0; expected more than sprt.elo0, which is 10"),
        ("elo1 = inf", "sprt.elo1 is inf; expected an Elo difference from -1000 to 1000"),
        ("alpha = 0", "sprt.alpha is 0; expected a chance from 0.0001 to 0.4"),
        ("beta = true", "sprt.beta is true; expected a chance"),
        ("elo = 5", '[sprt] has the unknown key "elo"; its keys are new, old, elo0, elo1, alpha, beta'),
    ],
)
def test_wrong_key_of_the_test_is_named(tmp_path: Path, lines: str, told: str) -> None:
    assert refusal(tmp_path, f'[tournament]\nformat = "sprt"\n[sprt]\n{lines}\n{TWO}').startswith(told)


def test_a_test_is_refused_in_other_formats(tmp_path: Path) -> None:
    told = refusal(tmp_path, f"[sprt]\n{TWO}")
    assert told.startswith(
        "[sprt] means nothing in the format round-robin; leave it out, or take the format sprt"
    )


@pytest.mark.parametrize(("format", "refused"), [("swiss", True), ("knockout", True), ("gauntlet", False)])
def test_where_later_games_depend_on_all_others_more_are_refused(
    tmp_path: Path, format: str, refused: bool
) -> None:
    start = f'[tournament]\nseats = 2\nformat = "{format}"\n'
    third = '[[entrant]]\nname = "Cy"\nbot = "random"\n'
    before, *more = (
        read(tmp_path, start + rest).settings() for rest in (TWO, f"blocks = 2\n{TWO}", TWO + third)
    )
    for after in more:
        with pytest.raises(Mixed) if refused else nullcontext():
            assert adopt(before, after, {"Ada", "Bo"}, 2).settings == after


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("tournament = 3\n" + TWO, 1),
        ("# spring\n[tournament]\nseats = 2\nblocks = 0\n" + TWO, 4),
        (TWO + REMOTE.replace("token", "tokn"), 11),
        (TWO + REMOTE.replace(TOKEN, "x"), 11),
        (TWO + REMOTE.replace('name = "Cy"', ""), 9),
        (TWO.replace("greedy", "gredy") + REMOTE, 4),
        ("[clock]\nmove = 0\n" + TWO, 2),
        ("[event]\n" + TWO, 1),
        ("[tournament]\nblocks = 2\nseats = 3\n" + TWO, 3),
        ("tournament.blocks = 2\ntournament.seats = 3\n" + TWO, 2),
        ("# spring\ntournament = { seats = 3 }\n" + TWO, 2),
        ('[tournament]\nformat = "gauntlet"\nchallengers = []\n' + TWO, 3),
        ('[tournament]\nformat = "sprt"\nseats = 4\n' + TWO, 3),
        ('[rules]\nmarket = true\nsets = ["moon"]\n' + TWO, 3),
        ('# one alone\n[[entrant]]\nname = "x"\nbot = "random"\n', 2),
        (TWO * 501, 2 + 7 * 500),
        (TWO + REMOTE + REMOTE.replace("Cy", "Dee"), 15),
    ],
)
def test_sentence_names_the_line(tmp_path: Path, text: str, line: int) -> None:
    with pytest.raises(ConfigError) as caught:
        read(tmp_path, text)
    assert str(caught.value).startswith(f"{tmp_path / 'spring.toml'}, line {line}: ")
