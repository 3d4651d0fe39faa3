"""The project of a script and its throw-away copy: the script may write beside itself, nothing comes back."""

# ruff: noqa: PTH101, PTH116, PTH115
# Bare system calls: pathlib would add cost and lazy iterators here.
from __future__ import annotations

import contextlib
import os
import shutil
import stat
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from lossdoctor.sandbox.hidden import home_folder

MARKERS = (".git", "pyproject.toml", "setup.py", "setup.cfg", "requirements.txt")
LEFT_OUT = frozenset(
    (".git", ".hg", ".svn", "__pycache__", "node_modules", ".mypy_cache", ".ruff_cache", ".pytest_cache",
     ".tox", ".nox", ".ipynb_checkpoints", "wandb", "mlruns", ".neptune", ".idea", ".vscode")
)  # fmt: skip
LARGEST_FILE = 64 << 20  # bytes copied at most per file; larger ones are linked, read-only
LARGEST_COPY = 512 << 20  # bytes copied at most in all
MOST_FILES = 20_000
CROWDED = 1_000  # files and folders directly in one folder: a data set, linked as a whole
# of a crowded folder that holds the script, what is copied all the same
WRITTEN = (".py", ".sh", ".json", ".toml", ".yaml", ".yml", ".cfg", ".ini")


class NotCopied(ValueError):
    """A line that is to be changed is not in the copy of the project."""


@dataclass(frozen=True)
class Project:
    """Where a script belongs. ``loose``: its folder is the home or a shared one, so only its files count. ``kept``:
    folders below the root, relative to it, that are copied however many entries those around them have.
    """

    root: Path
    loose: bool = False
    kept: tuple[Path, ...] = ()


@dataclass
class Copy:
    """What the copy holds: bytes and files copied, what is only linked, where links lead outside."""

    bytes: int = 0
    files: int = 0
    linked: list[Path] = field(default_factory=list)
    outside: list[Path] = field(default_factory=list)


def find_project(script: Path, cwd: Path) -> Project:
    """The nearest marked ancestor that holds script and cwd, else their common folder, never the home."""
    folder = script.parent
    for place in (folder, *folder.parents):
        if _shared(place):
            break
        if any((place / marker).exists() for marker in MARKERS) and cwd.is_relative_to(place):
            return _around(place, folder, cwd)
    common = Path(os.path.commonpath([folder, cwd]))
    if not _shared(common):
        return _around(common, folder, cwd)
    return Project(folder, loose=_shared(folder))


def _around(root: Path, *kept: Path) -> Project:
    return Project(root, kept=tuple(k.relative_to(root) for k in kept if k.is_relative_to(root)))


def _shared(folder: Path) -> bool:
    """A folder that holds far more than one project: home, its parents, temp folders, top level ones."""
    home = home_folder()
    busy = {
        home,
        *home.parents,
        Path(tempfile.gettempdir()),
        Path("/tmp"),
        Path("/var/tmp"),
        Path("/dev/shm"),
    }
    return folder in busy or len(folder.parts) <= 1


def copy_project(project: Project, target: Path, seen_as: Path) -> Copy:
    """Copy ``project`` to ``target``; what is too large becomes a link to the original at ``seen_as``.

    Virtual environments are linked too. Version control, caches and tracker folders are left out.
    """
    done = Copy()
    target.mkdir(parents=True, exist_ok=True)
    waiting = [Path()]
    while waiting:
        waiting += _copy_folder(project, target, seen_as, waiting.pop(), done)
    return done


def edit_copy(target: Path, name: Path, line: int, text: str) -> None:
    """Replace one line (the first is 1) of a copied file; what is only linked stays as it is. Raises NotCopied where
    there is no such line.
    """
    file = target / name
    if file.is_symlink() or not file.is_file():
        raise NotCopied(f"{name} was not copied")
    lines = file.read_bytes().decode("utf-8").split("\n")
    if not 1 <= line <= len(lines):
        raise NotCopied(f"{name} has no line {line}")
    ending = "\r" if lines[line - 1].endswith("\r") else ""
    lines[line - 1] = text + ending
    file.write_bytes("\n".join(lines).encode("utf-8"))


def _copy_folder(project: Project, target: Path, seen_as: Path, below: Path, done: Copy) -> list[Path]:
    """One folder's files; returns the folders in it that are to be copied next."""
    try:
        entries = sorted(os.scandir(project.root / below), key=lambda entry: entry.name)
    except OSError:
        return []
    held = [kept for kept in project.kept if kept.is_relative_to(below)]
    crowded = len(entries) > CROWDED
    if below.parts and ((crowded and not held) or _is_environment(project.root / below)):
        (target / below).rmdir()
        _link(target, seen_as, below, done)
        return []
    ways = {kept.relative_to(below).parts[0] for kept in held if kept != below}
    deeper: list[Path] = []
    for entry in entries:
        if below.parts and crowded and entry.name not in ways and not entry.name.endswith(WRITTEN):
            _link(target, seen_as, below / entry.name, done)
            continue
        if entry.name not in LEFT_OUT and not (project.loose and entry.name.startswith(".")):
            deeper += _copy_entry(project, target, seen_as, below / entry.name, entry, done)
    return deeper


def _copy_entry(
    project: Project, target: Path, seen_as: Path, name: Path, entry: os.DirEntry[str], done: Copy
) -> list[Path]:
    if entry.is_symlink():
        _copy_link(project.root, target, name, done)
        return []
    if entry.is_dir():
        if project.loose:
            return []
        (target / name).mkdir()
        return [name]
    state = entry.stat()
    if not stat.S_ISREG(state.st_mode):
        return []
    full = done.bytes + state.st_size > LARGEST_COPY or done.files >= MOST_FILES
    if full or state.st_size > LARGEST_FILE or not _copied(entry.path, target / name):
        _link(target, seen_as, name, done)
        return []
    done.bytes, done.files = done.bytes + state.st_size, done.files + 1
    return []


def _copied(source: str, target: Path) -> bool:
    """Copy contents, times and permissions, and make the copy writable; False when it is unreadable."""
    try:
        shutil.copy2(source, target)
        os.chmod(target, stat.S_IMODE(os.stat(target).st_mode) | stat.S_IRUSR | stat.S_IWUSR)
    except OSError:
        target.unlink(missing_ok=True)
        return False
    return True


def _link(target: Path, seen_as: Path, name: Path, done: Copy) -> None:
    with contextlib.suppress(OSError):
        (target / name).symlink_to(seen_as / name)
        done.linked.append(name)


def _copy_link(root: Path, target: Path, name: Path, done: Copy) -> None:
    """A link stays a link; where it leads out of the project, its end must become readable."""
    leads_to = Path(os.readlink(root / name))
    end = Path(os.path.realpath(root / name))
    with contextlib.suppress(OSError):
        if end.is_relative_to(os.path.realpath(root)):
            (target / name).symlink_to(leads_to)
            return
        (target / name).symlink_to(end)
        done.outside.append(end)


def _is_environment(folder: Path) -> bool:
    return (folder / "pyvenv.cfg").exists() or (folder / "conda-meta").is_dir()
