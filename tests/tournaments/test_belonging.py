"""What may be changed in a tournament file between two runs, and what would mix two tournaments."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from config_files import TWO

from arena.cli import main
from arena.cli.tournament import read
from tournaments.belonging import CHANGES, MOST_CHANGES, Mixed, adopt
from tournaments.config import of_setting
from tournaments.deals import secrets_of
from tournaments.schedules import pairings
from tournaments.store import SETTINGS, Played, Store
from tournaments.void import void

BO = "entrant Bo"


def settings(format: str = "round-robin", bo: object = None, **more: object) -> dict[str, str]:
    values = {
        "name": "spring",
        "format": format,
        "entrant Ada": {},
        BO: bo or {"command": ["./bo"], "start": 3},
    }
    return {key: json.dumps(value) for key, value in (values | more).items()}


@pytest.mark.parametrize(
    ("format", "key"),
    [
        ("round-robin", "blocks"),
        ("gauntlet", "blocks"),
        ("ladder", "blocks"),
        ("sprt", "blocks"),
        ("swiss", "rounds"),
    ],
)
def test_more_may_be_played_and_never_less(format: str, key: str) -> None:
    kept = settings(format, **{key: 3})
    assert adopt(kept, settings(format, **{key: 200}), (), 0).settings[key] == "200"
    with pytest.raises(
        Mixed, match=f"with {key} 3, and this one says 2; there may be more {key}, but not"
    ) as caught:
        adopt(kept, settings(format, **{key: 2}), (), 0)
    assert caught.value.key == key


@pytest.mark.parametrize("format", ["swiss", "knockout", "double-knockout"])
def test_where_blocks_make_a_match_they_stay(format: str) -> None:
    with pytest.raises(Mixed, match="with blocks 3, and this one says 4; change it back"):
        adopt(settings(format, blocks=3), settings(format, blocks=4), (), 0)


def test_error_of_a_ladder_stays() -> None:
    with pytest.raises(Mixed, match=r"with error 0\.05, and this one says 0\.2; change it back"):
        adopt(settings("ladder", error=0.05), settings("ladder", error=0.2), (), 0)


def test_folder_of_an_earlier_version_does_not_know_how_many_blocks_it_had() -> None:
    assert adopt(settings(), settings(blocks=2), (), 0).settings["blocks"] == "2"


def test_entrant_without_a_result_may_be_started_otherwise_which_is_noted() -> None:
    mended = {"command": ["./bo.sh"], "folder": "bots"}
    adopted = adopt(settings(), settings(bo=mended), {"Ada"}, 4)
    assert adopted.changed == ("Bo",)
    assert json.loads(adopted.settings[BO]) == mended
    assert json.loads(adopted.settings[CHANGES]) == [[BO, {"command": ["./bo"], "start": 3}, 4]]
    again = adopt(adopted.settings, settings(bo=mended), {"Ada"}, 9)
    assert (again.changed, again.settings) == ((), adopted.settings)


def test_entrant_with_results_keeps_what_it_is_and_may_get_other_limits() -> None:
    with pytest.raises(
        Mixed, match=r'entrant "Bo" .*; it has results, made with what it was; change it back'
    ):
        adopt(settings(), settings(bo={"command": ["./other"], "start": 3}), {"Bo"}, 4)
    roomy = {"command": ["./bo"], "start": 60, "memory": 500, "cpu": 90}
    assert adopt(settings(), settings(bo=roomy), {"Bo"}, 4).changed == ("Bo",)


def test_only_the_last_changes_are_kept() -> None:
    kept = settings()
    for start in range(MOST_CHANGES + 5):
        kept = adopt(kept, settings(bo={"start": start}), (), start).settings
    changes = json.loads(kept[CHANGES])
    assert len(changes) == MOST_CHANGES
    assert changes[-1][2] == MOST_CHANGES + 4


@pytest.mark.parametrize("damage", [{"blocks": "x"}, {BO: 3}, {CHANGES: 3}])
def test_settings_that_were_changed_by_hand_break_nothing(damage: dict[str, object]) -> None:
    kept = settings(blocks=2) | {key: json.dumps(value) for key, value in damage.items()}
    given = settings(blocks=2)
    if CHANGES in damage:
        assert adopt(kept, given, {"Bo"}, 1).settings == given | {CHANGES: "3"}
    else:
        with pytest.raises(Mixed):
            adopt(kept, given, {"Bo"}, 1)


# In a folder


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A tournament of two whose folder is begun."""
    (tmp_path / "my bot").write_text("#!/bin/sh\n")
    (tmp_path / "my bot").chmod(0o755)
    file = tmp_path / "spring.toml"
    file.write_text(f'[tournament]\nfolder = "out"\nblocks = 2\n{TWO}')
    what = read(file)
    with Store(what.folder) as store:
        store.belongs_to(replace(what, secrets=secrets_of(store)).settings())
    return file


def refused(file: Path, old: str, new: str) -> str:
    file.write_text(file.read_text().replace(old, new))
    result = CliRunner().invoke(main, ["tournament", "run", str(file)])
    assert result.exit_code == 1
    (line,) = result.stderr.splitlines()
    return line


def test_refusal_names_the_file_the_line_and_the_key(file: Path) -> None:
    told = refused(file, "blocks = 2", "blocks = 1")
    assert (
        f"{file}, line 3: tournament.blocks: {file.parent}/out holds the results of a tournament with" in told
    )
    assert "blocks 2, and this one says 1; there may be more blocks, but not fewer; change it back" in told


def test_refusal_of_an_entrant_names_its_line(file: Path) -> None:
    what = read(file)
    first = next(iter(pairings(what.schedule())))
    record = f"games/{first.id}.jsonl"
    with Store(what.folder) as store:
        (what.folder / record).parent.mkdir(exist_ok=True)
        (what.folder / record).touch()
        store.add(Played(first.id, first.block, 1, first.seating, (1, 2), (9, 0), ("normal",) * 2, record))
    assert f"{file}, line 8: entrant 2: " in refused(file, '"--fast"', '"--slow"')


def test_refusal_of_a_field_that_has_changed_names_the_first_entrant(file: Path) -> None:
    assert f"{file}, line 5: entrant: " in refused(file, '"Bo"', '"Eve"')
    assert (
        of_setting("entrants", "as of a Swiss", read(file), file) == f"{file}, line 5: entrant: as of a Swiss"
    )


def test_void_game_is_no_result_of_an_entrant(file: Path) -> None:
    what = read(file)
    with Store(what.folder) as store:
        store.add(void(what.folder, next(iter(pairings(what.schedule()))), {"Bo"}, "Bo did not come"))
        assert store.proven() == frozenset()


def test_run_that_was_killed_between_file_and_index_has_changed_the_settings(file: Path) -> None:
    what = read(file)
    path = what.folder / SETTINGS
    content = json.loads(path.read_text()) | {"blocks": "5", BO: '{"command": ["./new"]}'}
    path.write_text(json.dumps(content))
    with Store(what.folder) as store:
        assert store.settings()["blocks"] == "5"
        assert store.settings()[BO] == content[BO]


def test_run_that_was_killed_before_the_index_had_the_first_change_has_noted_it(file: Path) -> None:
    what = read(file)
    path = what.folder / SETTINGS
    before = json.loads(path.read_text())
    changes = [["entrant old", {"start": 3}, 0]]
    path.write_text(json.dumps(before | {CHANGES: json.dumps(changes)}))
    with Store(what.folder) as store:
        store.belongs_to(before)
        assert json.loads(store.settings()[CHANGES]) == changes
    assert json.loads(json.loads(path.read_text())[CHANGES]) == changes
