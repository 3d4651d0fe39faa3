"""The folders of one experiment, outside and as the script sees them."""

from __future__ import annotations

import functools
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from lossdoctor.sandbox.hidden import home_folder
from lossdoctor.sandbox.project import Project

Level = Literal["namespaces", "landlock", "seatbelt", "none"]
Rung = Literal["bubblewrap", "unshare", "landlock", "seatbelt", "none"]
LEVELS: dict[Rung, Level] = {
    "bubblewrap": "namespaces",
    "unshare": "namespaces",
    "landlock": "landlock",
    "seatbelt": "seatbelt",
    "none": "none",
}
PROGRAMS = Path(__file__).parent / "child"
RECORDER = Path(__file__).parent.parent / "recorder"
INSIDE = Path("/run/lossdoctor")
PREFIX = "lossdoctor-"
NO_HOME = (Path("/"), Path("/nonexistent"), Path("/tmp"), Path("/var/empty"))


@functools.cache
def compile_recorder() -> None:
    """Keep the recorder's byte code beside it, once per process, where that folder can be written: experiments write no
    byte code, and would translate 150 files each. Serves interpreters of the server's version (PEP 3147).
    """
    import compileall  # not needed by a server that runs nothing

    compileall.compile_dir(RECORDER, quiet=2)


@dataclass(frozen=True)
class Work:
    """The private folders of one experiment; all but the trace are removed when it has ended."""

    root: Path
    trace: Path
    temporary: tuple[Path, ...]  # what may be removed when nobody is left to ask for it

    @property
    def home(self) -> Path:
        return self.root / "home"

    @property
    def tmp(self) -> Path:
        return self.root / "tmp"

    @property
    def project(self) -> Path:
        return self.root / "project"

    @property
    def control(self) -> Path:
        return self.root / "control"

    @property
    def empty(self) -> Path:
        return self.root / "root"

    @property
    def decoy(self) -> Path:
        return self.root / "service"

    @property
    def outcome(self) -> Path:
        return self.root / "outcome.json"


@dataclass(frozen=True)
class Seen:
    """The same folders as the script sees them; ``original`` is the real project, read-only."""

    home: Path
    tmp: Path
    project: Path
    original: Path
    trace: Path
    control: Path
    caches: Path
    programs: Path
    recorder: Path


def make_work(trace: Path | None) -> Work:
    """Fresh private folders; the trace goes to ``trace`` or to a temporary folder of its own."""
    root = Path(tempfile.mkdtemp(prefix=PREFIX))
    folder = trace or Path(tempfile.mkdtemp(prefix=f"{PREFIX}trace-"))
    work = Work(root, folder.absolute(), (root,) if trace else (root, folder))
    for path in (work.home, work.tmp, work.project, work.control, work.empty, work.trace):
        path.mkdir(parents=True, exist_ok=True)
    return work


def seen_by(rung: Rung, work: Work, project: Project) -> Seen:
    """With mount namespaces everything lies where the user has it; otherwise the copies lie elsewhere."""
    home = home_folder()
    if LEVELS[rung] != "namespaces":
        copies = work.home, work.tmp, work.project
        return Seen(*copies, project.root, work.trace, work.control, home, PROGRAMS, RECORDER)
    inside_home = INSIDE / "home" if home in NO_HOME else home
    root = INSIDE / "script" if project.loose else project.root
    names = ("project", "trace", "control", "cache", "lossdoctor/sandbox/child", "lossdoctor/recorder")
    return Seen(inside_home, Path("/tmp"), root, *(INSIDE / name for name in names))
