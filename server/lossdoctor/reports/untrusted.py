"""Text that comes from a script or a log: made safe to show, never interpreted."""

from __future__ import annotations

import re

# ECMA-48 escape sequences: CSI, OSC up to its terminator, and two-character escapes.
_ESCAPES = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])|\x9b[0-?]*[ -/]*[@-~]"
)
# C0 and C1 controls but newline and tab; zero-width, bidirectional and tag characters, which reorder or hide
# text (Unicode TR36, "Trojan Source": arXiv 2111.00169).
_HIDDEN = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)


def visible(text: str) -> str:
    """``text`` without terminal escapes, control characters and invisible or reordering characters."""
    if text.isascii() and text.isprintable():
        return text
    return _HIDDEN.sub("", _ESCAPES.sub("", text.replace("\r\n", "\n").replace("\r", "\n")))


def one_line(text: str, limit: int = 200) -> str:
    """``text`` made visible, on one line, at most ``limit`` characters."""
    flat = " ".join(visible(text).split())
    return flat if len(flat) <= limit else flat[: limit - 1].rstrip() + "…"


def last_lines(text: str, lines: int = 4, limit: int = 160) -> tuple[str, ...]:
    """The last non-empty lines of ``text``, each bounded: of an error they say most."""
    kept = [line for line in visible(text).split("\n") if line.strip()]
    return tuple(line if len(line) <= limit else line[: limit - 1] + "…" for line in kept[-lines:])
