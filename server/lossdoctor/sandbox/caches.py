"""Model and data caches of the home folder, shown read-only inside a home that can be written."""

from __future__ import annotations

import contextlib
from pathlib import Path

from lossdoctor.sandbox.hidden import TOKEN_FILES

CACHES = (".cache/huggingface", ".cache/torch", "scikit_learn_data", ".keras", "nltk_data",
          "tensorflow_datasets", ".cache/kagglehub", ".medmnist")  # fmt: skip
MOST_LINKS = 5_000


def shadow_caches(real_home: Path, home: Path, seen_as: Path) -> list[Path]:
    """Fill ``home`` with folders whose entries link to the real caches as seen at ``seen_as``.

    Two levels are real folders, so that libraries can put their lock files there. Returns the entries to
    be shown, relative to the real home; access tokens are never among them.
    """
    shown: list[Path] = []
    for name in CACHES:
        source = real_home / name
        for entry in _entries(source):
            if entry.name in TOKEN_FILES:
                continue
            below = Path(name) / entry.name
            shown.append(below)
            _shadow(real_home / below, home / below, seen_as / below)
    return shown


def _shadow(source: Path, target: Path, seen_as: Path) -> None:
    if not source.is_dir():
        target.parent.mkdir(parents=True, exist_ok=True)
        target.symlink_to(seen_as)
        return
    target.mkdir(parents=True, exist_ok=True)
    for entry in _entries(source):
        (target / entry.name).symlink_to(seen_as / entry.name)


def _entries(folder: Path) -> list[Path]:
    with contextlib.suppress(OSError):
        return sorted(folder.iterdir())[:MOST_LINKS]
    return []
