"""What may change in a tournament file once there are results: settings kept in the folder against those of the file.

Settings are texts of JSON by their key, as `Tournament.settings` gives them. Some may only grow, so that whatever has
been played keeps its place; how an entrant is started may be mended until it has a result, and its limits always. All
else would mix the results of two tournaments in one folder.
"""

from __future__ import annotations

import json
from collections.abc import Container, Mapping
from dataclasses import dataclass
from typing import Any

from protocol.errors import printable, quote

ENTRANT = "entrant "  # how the settings of an entrant begin; such may be added
CHANGES = "changes"  # the settings that were changed, each as [key, what it was, the games played by then]
MOST_CHANGES = 100  # that are kept, the last ones
ALL_MATTER = frozenset(
    {"swiss", "knockout", "double-knockout"}
)  # formats in which more blocks change each match
NOT_KEPT_ONCE = frozenset({"blocks", "rounds", "error"})  # keys that folders of earlier versions may lack
LIMITS = frozenset({"start", "memory", "cpu"})  # of an entrant: what it is allowed, not who it is
SHOWN = 100  # characters of a setting in a sentence
REMEDIES = {  # what to do about a changed setting that is no key of the file
    "deals": "put its deals.secret back",
    "shared deals": "leave the remote entrants out, with whom all tables would get other deals",
}


class Mixed(ValueError):
    """The settings of a file are not those of the results; `key` names the first that differs."""

    def __init__(self, key: str, text: str) -> None:
        super().__init__(text)
        self.key = key


@dataclass(frozen=True)
class Adopted:
    """What is kept from now on; the names of entrants that are new, and of those whose settings have changed."""

    settings: dict[str, str]
    new: tuple[str, ...]
    changed: tuple[str, ...]


def adopt(
    kept: Mapping[str, str], settings: Mapping[str, str], proven: Container[str], games: int
) -> Adopted:
    """The settings of a file in place of those that are kept, or `Mixed`.

    `proven` are the names of the entrants with a result, and `games` counts the results so far.
    """
    if not kept:
        return Adopted(dict(settings), (), ())
    changes = json.loads(kept.get(CHANGES, "[]"))
    if not isinstance(changes, list):  # changed by hand
        changes = []
    changed = []
    for key, value in kept.items():
        now = settings.get(key)
        if now == value or key == CHANGES:
            continue
        if now is None:
            raise Mixed(
                key, f"with {_shown(key)} {cut(value)}, and this one does not have it; {_remedy(key)}"
            )
        if not may_change(key, kept):
            raise _mixed(key, value, now, _remedy(key))
        if key.startswith(ENTRANT):
            name = key.removeprefix(ENTRANT)
            if name in proven and not _same_but_for_limits(value, now):
                raise _mixed(key, value, now, f"it has results, made with what it was; {_remedy(key)}")
            changed.append(name)
            changes.append([key, json.loads(value), games])
        elif not _grows(value, now):
            raise _mixed(key, value, now, f"there may be more {key}, but not fewer; {_remedy(key)}")
    for key, value in settings.items():
        if key not in kept and key not in NOT_KEPT_ONCE and not key.startswith(ENTRANT):
            raise Mixed(
                key, f"that does not have {_shown(key)}, and this one says {cut(value)}; {_remedy(key)}"
            )
    merged = {**kept, **settings}
    if changes:
        merged[CHANGES] = json.dumps(changes[-MOST_CHANGES:], ensure_ascii=False)
    new = [key.removeprefix(ENTRANT) for key in settings if key not in kept and key.startswith(ENTRANT)]
    return Adopted(merged, tuple(new), tuple(changed))


def may_change(key: str, settings: Mapping[str, str]) -> bool:
    """Whether a setting can become another in a folder with results, at least by growing."""
    if key == "blocks":
        return json.loads(settings.get("format", "null")) not in ALL_MATTER
    return key in ("rounds", CHANGES) or key.startswith(ENTRANT)


def cut(value: str) -> str:
    """A setting in a sentence; some are long."""
    return printable(value) if len(value) <= SHOWN else f"{printable(value[:SHOWN])}..."


def _mixed(key: str, kept: str, now: str, remedy: str) -> Mixed:
    return Mixed(key, f"with {_shown(key)} {cut(kept)}, and this one says {cut(now)}; {remedy}")


def _grows(kept: str, now: str) -> bool:
    less, more = json.loads(kept), json.loads(now)
    return isinstance(less, int) and less <= int(more)


def _same_but_for_limits(kept: str, now: str) -> bool:
    return bool(_without_limits(json.loads(kept)) == _without_limits(json.loads(now)))


def _without_limits(entrant: Any) -> Any:
    if not isinstance(entrant, dict):  # changed by hand
        return entrant
    return {key: value for key, value in entrant.items() if key not in LIMITS}


def _shown(key: str) -> str:
    """A key of the settings in a sentence; names may hold anything printable."""
    return f"the entrant {quote(key.removeprefix(ENTRANT))}" if key.startswith(ENTRANT) else key


def _remedy(key: str) -> str:
    return f"{REMEDIES.get(key, 'change it back')}, or give it another folder"
