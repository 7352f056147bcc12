"""Writes the playthroughs anew: python -m tests.playthroughs"""

from __future__ import annotations

from tests.playthroughs.playthrough import FOLDER, GAMES, text_of

for name in GAMES:
    FOLDER.joinpath(f"{name}.txt").write_text(text_of(name), "utf-8")
