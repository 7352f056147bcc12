"""The pages of the documentation, and how their examples and tables are found."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")
ORGANISERS = (ROOT / "docs" / "organisers.md").read_text("utf-8")


def blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", page, re.DOTALL)


def section(page: str, heading: str) -> str:
    return re.split(r"^##+ ", page.split(f"# {heading}\n")[1], flags=re.MULTILINE)[0]


def rows(page: str, head: str) -> list[list[str]]:
    """The cells of the table with this head, without it; backticks are left out."""
    table = page.split(f"{head}\n")[1].split("\n\n")[0].splitlines()[1:]
    return [[cell.strip().replace("`", "") for cell in line.strip("|").split("|")] for line in table]
