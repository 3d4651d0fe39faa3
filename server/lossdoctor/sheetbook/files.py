"""Where the sheets lie: in an installed wheel (``lossdoctor/_data/sheets``) or in the checkout."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]


def sheets_folder() -> Path:
    """Folder with the ten ``<sheet>.md`` files; FileNotFoundError tells of a broken installation."""
    checkout = _PACKAGE.parents[1] / "sheets"
    for folder in (_PACKAGE / "_data" / "sheets", checkout):
        if folder.is_dir():
            return folder
    raise FileNotFoundError(f"no sheets beside {_PACKAGE}")
