"""What a user installs: the package with its sheets, skill and agent, and nothing else of the checkout."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from itertools import chain
from pathlib import Path

import pytest
from tests.toml import read_toml

pytestmark = pytest.mark.timeout(180)


@pytest.fixture(scope="module")
def wheel(root: Path, tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    folder = tmp_path_factory.mktemp("wheel")
    build = "import sys, hatchling.build as b; print(b.build_wheel(sys.argv[1]))"
    done = subprocess.run(
        [sys.executable, "-c", build, str(folder)], cwd=root, capture_output=True, text=True, check=True
    )
    return zipfile.ZipFile(folder / done.stdout.split()[-1])


def names_below(wheel: zipfile.ZipFile, prefix: str) -> set[str]:
    return {name.removeprefix(prefix) for name in wheel.namelist() if name.startswith(prefix)}


def files_below(folder: Path) -> set[str]:
    return {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


@pytest.mark.parametrize("kind", ["sheets", "skills", "agents"])
def test_the_wheel_carries_every_text(wheel: zipfile.ZipFile, root: Path, kind: str) -> None:
    assert names_below(wheel, f"lossdoctor/_data/{kind}/") == files_below(root / kind)


def test_the_wheel_carries_the_whole_package(wheel: zipfile.ZipFile, root: Path) -> None:
    package = files_below(root / "server" / "lossdoctor")
    shipped = {name for name in names_below(wheel, "lossdoctor/") if not name.startswith("_data/")}
    assert shipped == package
    assert {"recorder/launch.py", "routing/tables", "py.typed"} <= shipped | {
        Path(name).parent.as_posix() for name in shipped
    }


def test_nothing_else_is_installed(wheel: zipfile.ZipFile) -> None:
    tops = {name.split("/")[0] for name in wheel.namelist()}
    assert tops <= {"lossdoctor", f"lossdoctor-{version_in(wheel)}.dist-info"}


def version_in(wheel: zipfile.ZipFile) -> str:
    info = next(name for name in wheel.namelist() if name.endswith("METADATA"))
    fields = wheel.read(info).decode().splitlines()
    return next(line.split(": ")[1] for line in fields if line.startswith("Version: "))


def test_torch_is_only_an_extra(root: Path) -> None:
    project = read_toml(root / "pyproject.toml")["project"]
    assert not [line for line in project["dependencies"] if line.startswith(("torch", "numpy"))]
    assert project["optional-dependencies"]["torch"]


def test_every_dependency_has_an_upper_bound(root: Path) -> None:
    project = read_toml(root / "pyproject.toml")["project"]
    wanted = [*project["dependencies"], *chain.from_iterable(project["optional-dependencies"].values())]
    assert not [line for line in wanted if "<" not in line and not line.startswith("lossdoctor")]
