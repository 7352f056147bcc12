"""The secret of the deals: drawn once, kept from others, and enough to check every deal."""

from __future__ import annotations

import hashlib
import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
import trio
from programs import PATIENCE, playing, tournament

from arena.records import read_record
from clients import bridge
from tournaments.deals import SECRET, commitment, keep_back, release, secrets_of
from tournaments.entrants import Entrant
from tournaments.host import Host, record_of
from tournaments.reindex import reindex
from tournaments.schedules import Event, RoundRobin, pairings
from tournaments.store import FILE, GAMES, LOGS, SETTINGS, Store, StoreError


def test_secret_is_drawn_once_and_only_its_user_can_read_it(tmp_path: Path) -> None:
    with Store(tmp_path / "out") as store, Store(tmp_path / "other") as other:
        first = secrets_of(store)
        assert secrets_of(store) == first
        assert secrets_of(other) != first
    assert (tmp_path / "out" / SECRET).stat().st_mode & 0o777 == 0o600


def test_what_tells_of_deals_is_for_the_owner_alone_until_they_are_over(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    what = tournament(tmp_path, playing("Ada"), playing("Bo"))

    def modes() -> set[int]:
        paths = [folder / GAMES, folder / LOGS, *folder.glob(f"{FILE}*")]
        return {path.stat().st_mode & 0o077 for path in paths}

    with Store(folder) as store:
        store.belongs_to(what.settings())
        assert (folder / FILE).stat().st_mode & 0o077 == 0
        for path in (folder, *folder.glob(f"{FILE}*")):
            path.chmod(0o755 if path.is_dir() else 0o644)
        (folder / GAMES).mkdir(mode=0o755)  # begun by a version that let others read
        keep_back(folder)
        assert len(list(folder.glob(f"{FILE}-*"))) == 2
        assert modes() == {0}
        release(folder)
        assert modes() == {0o055, 0o044}
        keep_back(folder)
        assert modes() == {0}
    reindex(folder)
    assert modes() == {0}
    release(folder)
    reindex(folder)
    assert modes() == {0o055, 0o044}


@pytest.mark.parametrize("text", ["", "0123", "g" * 64, "\u00e4" * 64])
def test_damaged_secret_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / SECRET).write_text(text, "utf-8")
    with Store(tmp_path) as store, pytest.raises(StoreError, match=SECRET):
        secrets_of(store)


@pytest.mark.parametrize("left", [FILE, SETTINGS, GAMES])
def test_secret_that_is_missing_in_a_folder_with_games_is_not_drawn_again(tmp_path: Path, left: str) -> None:
    what = tournament(tmp_path, playing("Ada"), playing("Bo"))
    with Store(what.folder) as store:
        store.belongs_to(what.settings())
    (what.folder / GAMES).mkdir()
    (what.folder / GAMES / "x.jsonl").touch()
    for name in {FILE, SETTINGS, GAMES} - {left}:
        shutil.rmtree(what.folder / name) if name == GAMES else (what.folder / name).unlink()
    with Store(what.folder) as store, pytest.raises(StoreError, match=f"{SECRET} is missing"):
        secrets_of(store)
    assert not (what.folder / SECRET).exists()


def test_deals_follow_from_the_secret_and_ids_do_not() -> None:
    names = ("Ada", "Bo", "Cy")
    one, other = (
        list(pairings(RoundRobin(Event("spring", 1, secret=secret), names, 2)))
        for secret in ("a" * 64, "b" * 64)
    )
    assert [game.id for game in one] == [game.id for game in other]
    assert {game.seed for game in one}.isdisjoint(game.seed for game in other)


@pytest.mark.parametrize("shared", [True, False])
def test_deals_can_be_checked_as_the_page_says(shared: bool) -> None:
    secret = "ab" * 32
    for game in pairings(RoundRobin(Event("spring", 1, shared, secret), ("Ada", "Bo"), 2)):
        parts = ["deal", secret, 0, *([] if shared else ["Ada", "Bo"])]
        text = json.dumps(parts, separators=(",", ":"))
        assert game.seed == int(hashlib.sha256(text.encode()).hexdigest()[:16], 16) % 2**53


def test_secret_is_in_no_setting_and_another_one_is_not_mixed_in(tmp_path: Path) -> None:
    what = replace(tournament(tmp_path, playing("Ada"), playing("Bo")), secrets=("ab" * 32,))
    assert what.secret not in str(what.settings())
    assert what.secret not in repr(what)
    with Store(what.folder) as store:
        store.belongs_to(what.settings())
        with pytest.raises(StoreError, match=f"with deals .{commitment(what.secret)}.*put its {SECRET}"):
            store.belongs_to(replace(what, secrets=("cd" * 32,)).settings())


@pytest.mark.trio
async def test_programs_are_not_told_the_seed_of_a_deal_that_comes_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:  # S025
    monkeypatch.setattr(bridge, "LAST_WORDS", 0.3)
    heard = tmp_path / "heard"
    listening = playing("Ada", each='echo "$line" >/dev/null; echo 0', first=f'exec 3>"{heard}"')
    listening = replace(
        listening, command=(*listening.command[:2], f'tee "{heard}" | {{ {listening.command[2]}\n}}')
    )
    what = replace(tournament(tmp_path, listening, playing("Bo")), secrets=("ab" * 32,))
    first = next(pairings(what.schedule()))
    with trio.fail_after(PATIENCE):
        async with Host.open(what, "x") as host:
            await host.play(first)
    text = heard.read_text()
    assert '"type":"end"' in text
    assert str(first.seed) not in text
    assert '"salt"' not in text
    assert read_record(record_of(what, first)).header.seed == first.seed


@pytest.mark.trio
async def test_a_bot_against_itself_plays_every_game_of_a_deal_alike(tmp_path: Path) -> None:
    twins = (Entrant("Ada", bot="greedy"), Entrant("Bo", bot="greedy"))
    what = replace(tournament(tmp_path, *twins, blocks=2), secrets=("ab" * 32,))
    played: dict[int, list[list[str]]] = {}
    with trio.fail_after(60):
        async with Host.open(what, "x") as host:
            for game in pairings(what.schedule()):
                await host.play(game)
                record = read_record(record_of(what, game))
                played.setdefault(game.seed, []).append([choice.text for choice in record.choices])
    assert [len(games) for games in played.values()] == [2, 2]
    assert all(games[0] == games[1] for games in played.values())
    assert len({tuple(games[0]) for games in played.values()}) == 2
