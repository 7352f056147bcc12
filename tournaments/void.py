"""Games that could not be played although others wait for their results: a file each, beside the records.

A Swiss or a knock-out cannot go on without them, so after three tries they are void: nobody is rated for them,
and the file says who did not come. In formats that do not wait such games just stay missing.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from datetime import UTC, datetime
from pathlib import Path

from arena.regular import read_regular
from tournaments.schedules import Pairing
from tournaments.store import GAMES, VOID, Played, Store, StoreError, set_aside, write_whole
from tournaments.unplayed import Unplayed

MAX_WHY = 2000  # characters of an explanation that are kept


def void(folder: Path, pairing: Pairing, absent: Collection[str], why: str) -> Played:
    """Write down that a game is void, and return it as its result. Raises `StoreError`."""
    path = folder / GAMES / f"{pairing.id}{VOID}"
    played = Played(
        id=pairing.id,
        block=pairing.block,
        deal=pairing.seed,
        entrants=pairing.seating,
        places=tuple(2 if name in absent else 1 for name in pairing.seating),
        credits=(0,) * len(pairing.seating),
        reasons=tuple("disconnect" if name in absent else "aborted" for name in pairing.seating),
        record=str(path.relative_to(folder)),
        started=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
    )
    content = {
        "game": played.id,
        "block": played.block,
        "deal": played.deal,
        "seats": played.entrants,
        "reasons": played.reasons,
        "when": played.started,
        "why": why[:MAX_WHY],
    }
    write_whole(path, json.dumps(content, ensure_ascii=False) + "\n")
    return played


def voids(folder: Path) -> Iterator[Played]:
    """The void games of a tournament folder. Raises `StoreError` for a file that is none."""
    return (played for played, _ in _told(folder))


def void_ones(folder: Path) -> list[Unplayed]:
    """Whose games are void, and why, by who did not come to them. Raises `StoreError` as `voids` does."""
    found: dict[str, Unplayed] = {}
    for played, why in _told(folder):
        reasons = zip(played.entrants, played.reasons, strict=True)
        for name in [name for name, reason in reasons if reason != "aborted"] or [""]:
            games = found[name].games + 1 if name in found else 1
            found[name] = Unplayed(name, games, why.replace(f"{folder}/", ""), void=True)
    return list(found.values())


def take_back(store: Store) -> int:
    """Let the void games of a tournament be played after all, and tell how many; their files are kept as `ID.void-1`.

    For the runner of the folder. Should it be killed on the way, the next run finds the rest still void. Raises
    `StoreError`.
    """
    store.forget({played.id for played in store.games() if played.is_void})
    files = list((store.folder / GAMES).glob(f"*{VOID}"))
    try:
        for path in files:
            set_aside(path, VOID)
    except OSError as error:
        raise StoreError(f"{path} cannot be renamed: {error.strerror}; look at the folder") from None
    return len(files)


def _told(folder: Path) -> Iterator[tuple[Played, str]]:
    """The void games, and why they are."""
    for path in sorted((folder / GAMES).glob(f"*{VOID}")):
        try:
            content = json.loads(read_regular(path))
            reasons = tuple(map(str, content["reasons"]))
            played = Played(
                id=str(content["game"]),
                block=str(content["block"]),
                deal=int(content["deal"]),
                entrants=tuple(map(str, content["seats"])),
                places=tuple(1 if reason == "aborted" else 2 for reason in reasons),
                credits=(0,) * len(reasons),
                reasons=reasons,
                record=str(path.relative_to(folder)),
                started=str(content.get("when", "")),
            )
            played.result()  # which looks at the seats
            yield played, str(content.get("why", ""))
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise StoreError(
                f"{path} is not the file of a void game ({error}); remove it and run again"
            ) from None
