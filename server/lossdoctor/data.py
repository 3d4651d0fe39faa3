"""Where the sheets, the skill and the agent lie: inside an installed wheel, or in the checkout."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

Kind = Literal["sheets", "skills", "agents"]

_PACKAGE = Path(__file__).resolve().parent


def data_dir(kind: Kind) -> Path:
    """The folder of one kind of text. A wheel has it as ``_data``, an editable install uses the checkout."""
    packaged = _PACKAGE / "_data" / kind
    return packaged if packaged.is_dir() else _PACKAGE.parents[1] / kind
