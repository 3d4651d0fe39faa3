"""Two real environments that must not know of each other, made from the one that runs the tests.

A venv is made without pip, and the files of the wanted distributions and of what they require are hard-linked
into it: seconds instead of minutes, no network, and still nothing but these packages can be imported there.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[1]
CACHE = ROOT / ".cache" / "test-envs"


def environment(name: str, packages: Iterable[str], paths: Iterable[Path] = ()) -> str:
    """Interpreter of an environment with these packages, kept between runs; ``paths`` are added as .pth."""
    folder = CACHE / f"{name}-{sys.version_info.major}.{sys.version_info.minor}"
    try:
        wanted = closure(packages)
    except PackageNotFoundError:
        if (folder / "ready").is_file():  # made earlier by an environment that has them
            return str(folder / "bin" / "python")
        raise
    stamp = "\n".join(sorted(f"{dist.name} {dist.version}" for dist in wanted))
    python, ready = folder / "bin" / "python", folder / "ready"
    with _alone(name):
        if not ready.is_file() or ready.read_text() != stamp:
            _make(folder, wanted, paths)
            ready.write_text(stamp)
    return str(python)


@contextmanager
def _alone(name: str) -> Iterator[None]:
    """Keeps test processes that run side by side from making the same environment twice."""
    CACHE.mkdir(parents=True, exist_ok=True)
    with (CACHE / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _make(folder: Path, wanted: Iterable[Distribution], paths: Iterable[Path]) -> None:
    subprocess.run([sys.executable, "-m", "venv", "--clear", "--without-pip", str(folder)], check=True)
    site = next((folder / "lib").glob("python3*")) / "site-packages"
    for dist in wanted:
        _link(dist, site)
    (site / "added.pth").write_text("".join(f"{path}\n" for path in paths))


def closure(packages: Iterable[str]) -> list[Distribution]:
    """The installed distributions and all that they require here, extras included.

    Raises PackageNotFoundError when one of them is not installed.
    """
    found: dict[str, Distribution] = {}
    asked = [Requirement(package) for package in packages]
    waiting = [r for r in asked if r.marker is None or r.marker.evaluate()]
    while waiting:
        wanted = waiting.pop()
        key = f"{wanted.name.lower()}{sorted(wanted.extras)}"
        if key not in found:
            found[key] = distribution(wanted.name)
            waiting += _requirements(found[key], wanted.extras)
    return list({dist.name: dist for dist in found.values()}.values())


def _requirements(dist: Distribution, extras: set[str]) -> list[Requirement]:
    """What a distribution requires on this platform with these extras."""
    lines = [Requirement(line) for line in dist.requires or ()]
    chosen = extras or {""}
    return [r for r in lines if r.marker is None or any(r.marker.evaluate({"extra": e}) for e in chosen)]


def _link(dist: Distribution, site: Path) -> None:
    for file in dist.files or ():
        source, target = Path(str(file.locate())), site / file
        if ".." in file.parts or not source.is_file():
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists():
            _link_file(source, target)


def _link_file(source: Path, target: Path) -> None:
    try:
        os.link(source, target)
    except OSError:  # another file system
        shutil.copy2(source, target)
