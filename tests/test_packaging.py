"""The wheel in an environment that has what the package declares, and nothing of the source tree or of the tests."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
import venv
from contextlib import suppress
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from arena.cli import COMMANDS
from arena.server.games import SOFTWARE
from protocol import PROTOCOL
from tests.test_imports import ROOMS, ROOT, imports, modules

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
OF_EXTRAS = ["tournaments.cluster_worker"]  # runs on the workers of a cluster alone, and says so
PATIENCE = 120.0  # seconds for one process

EVERYTHING = f"""
import importlib, pkgutil
from click.testing import CliRunner
from arena.cli import main
for command in {list(COMMANDS)}:
    done = CliRunner().invoke(main, [command, "--help"])
    assert done.exit_code == 0 and "Usage:" in done.output, (command, done.output)
for room in {ROOMS}:
    package = importlib.import_module(room)
    for module in pkgutil.walk_packages(package.__path__, room + "."):
        if not module.name.endswith("__main__") and module.name not in {OF_EXTRAS}:
            importlib.import_module(module.name)
from arena.game import default_catalogue
from arena.web.assets import read_assets
print(len(default_catalogue().cards), len(read_assets()) > 5)
"""
"""Starts every command, imports every module that needs no extra, and reads the data that the wheel must hold."""


def needed(requirements: list[str]) -> dict[str, Distribution]:
    """The distributions that these requirements name, and all that those need in turn."""
    found: dict[str, Distribution] = {}
    left = list(requirements)
    while left:
        requirement = Requirement(left.pop())
        name = canonicalize_name(requirement.name)
        if name not in found and (requirement.marker is None or requirement.marker.evaluate({"extra": ""})):
            found[name] = distribution(name)
            left += found[name].requires or ()
    return found


def tops(installed: Distribution) -> set[str]:
    """The names of its folders and modules, as they lie in the folder of packages."""
    return {path.parts[0] for path in installed.files or ()} - {"..", "__pycache__"}


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new environment: the wheel, installed by pip, and links to the declared dependencies."""
    folder = tmp_path_factory.mktemp("fresh")
    venv.create(folder / "venv", symlinks=True)
    python = folder / "venv" / "bin" / "python"
    run(folder, sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder), cwd=ROOT)
    (wheel,) = folder.glob("*.whl")
    pip = (sys.executable, "-m", "pip", "--python", str(python), "--disable-pip-version-check")
    run(folder, *pip, "install", "--quiet", "--no-deps", "--no-index", str(wheel))
    (site,) = (folder / "venv" / "lib").glob("python*/site-packages")
    for dependency in needed(PROJECT["dependencies"]).values():
        for top in tops(dependency):
            if not (site / top).exists():
                (site / top).symlink_to(Path(str(dependency.locate_file(top))))
    return folder


def run(folder: Path, *command: str, cwd: Path | None = None) -> str:
    """What a command prints, outside of the source tree unless told; it must not fail."""
    env = {"HOME": str(folder), "PATH": os.environ["PATH"], "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        command, cwd=cwd or folder, env=env, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == 0, done.stderr or done.stdout
    return done.stdout


def test_installed_command_tells_its_version_and_that_of_the_protocol(fresh: Path) -> None:  # S064, S065
    arena = str(fresh / "venv" / "bin" / "arena")
    assert run(fresh, arena, "--version") == f"arena {PROJECT['version']}, protocol {PROTOCOL}\n"
    told = run(fresh, arena, "--help")
    assert all(f"  {command} " in told for command in COMMANDS)
    assert f"arena {PROJECT['version']}" == SOFTWARE  # what a server tells in `welcome`, and a record


def test_every_command_and_module_of_the_wheel_starts_without_extras(fresh: Path) -> None:  # S064, S066
    told = run(fresh, str(fresh / "venv" / "bin" / "python"), "-W", "error", "-c", EVERYTHING)
    assert told == "170 True\n"


def test_every_package_that_is_imported_is_declared() -> None:  # S066
    optional = [each for extra in PROJECT["optional-dependencies"].values() for each in extra]
    known = {*sys.stdlib_module_names, *ROOMS}
    for each in PROJECT["dependencies"] + optional:
        with suppress(PackageNotFoundError):  # an extra that the tests do not need
            known |= tops(distribution(Requirement(each).name))
    for module, path in modules():
        for name in imports(path):
            assert name.partition(".")[0] in known, f"{module} imports {name}"
