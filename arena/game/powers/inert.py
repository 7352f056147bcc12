"""The powers that do nothing yet, in one place: a card with one of them is a contract like any other, without power.

Whoever writes one of these powers takes its id out here; a test holds this list, the registry and the texts
of all 180 powers together.
"""

from __future__ import annotations

from typing import Final

NOTHING_TO_DO: Final = frozenset({"souvenirs"})
"""Powers whose text is that they do nothing."""

INERT: Final[frozenset[str]] = frozenset()
