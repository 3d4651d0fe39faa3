"""TOML for tests, also on Python 3.10, which cannot read it by itself."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


def read_toml(path: Path) -> dict[str, Any]:
    """A TOML file as a dictionary."""
    return tomllib.loads(path.read_text(encoding="utf-8"))
