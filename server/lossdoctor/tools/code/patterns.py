"""The entry of a configuration that was to name parameters of the model and names none.

Parameter groups, frozen parts and loaded parts are told by prefixes or expressions (``match = "^encoder"``). When the
entries of one key name parameters of the model, all but one, the one that names nothing left its parameters out.
"""

from __future__ import annotations

import contextlib
import json
import re
from collections import defaultdict

from ...model import Finding, Trace
from .project import Project
from .settings import Setting

NAMING = frozenset({"optimizer_missing_params", "frozen_params", "checkpoint_restore_misuse"})
KEY = re.compile(r"""^\s*[{,\[]*\s*["']?([\w.-]+)["']?\s*[:=]""")
QUOTED = re.compile(r""""(?:[^"\\]|\\.)*"|'[^']*'""")
PLAIN = re.compile(r"""^\s*[\w.-]+\s*[:=]\s*([^"'\[{#;]+?)\s*(?:[#;].*)?$""")
NAME = re.compile(
    r"[A-Za-z_^.*(][\w.^$*+?()|\[\]\\-]+"
)  # what a prefix or an expression over names is written with


def unmatched(finding: Finding, trace: Trace, project: Project) -> Setting | None:
    """The one entry, of several under its key, that fits the name of no parameter; None where there is none."""
    if finding.fault not in NAMING:
        return None
    names = [p.name for p in trace.parameters]
    entries: dict[tuple[str, str], dict[int, list[bool]]] = defaultdict(lambda: defaultdict(list))
    key = ""
    for file, number, text in project.configuration:
        found = KEY.match(text)
        key = found.group(1) if found else key
        for value in _values(text, key):
            entries[str(file), key][number].append(any(_fits(value, name) for name in names))
    for (place, key), lines in entries.items():
        empty = [number for number, fitting in lines.items() if not all(fitting)]
        if len(empty) == 1 and any(any(fitting) for fitting in lines.values()):
            return Setting(place, empty[0], key)
    return None


def _values(line: str, key: str) -> list[str]:
    """What a line of a configuration gives its key, as text."""
    values = [_unquoted(q) for q in QUOTED.findall(line)]
    plain = PLAIN.match(line)
    if plain:
        values += [part.strip() for part in plain.group(1).split(",")]
    keys = {_unquoted(q) for q in re.findall(rf"({QUOTED.pattern})\s*:", line)}
    return [v for v in values if v not in keys and v != key and NAME.fullmatch(v)]


def _unquoted(quoted: str) -> str:
    if quoted.startswith('"'):
        with contextlib.suppress(ValueError):
            return str(json.loads(quoted))
    return quoted[1:-1]


def _fits(value: str, name: str) -> bool:
    """Whether an expression, or else a plain part of a name, is found in the name of a parameter."""
    with contextlib.suppress(re.error):
        return re.search(value, name) is not None
    return value in name
