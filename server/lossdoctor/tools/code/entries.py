"""The configuration entry that looks like the cause of a fault, where code and configuration are read apart.

``entries.toml`` says what such an entry looks like. It is named only if it is the one such entry of the files that the
run has read; a project may hold configurations of other runs.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Any

from ...model import Finding
from .flow import feeding, headed
from .literals import NUMBERS, Line, in_code
from .project import Project
from .settings import Setting

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ENTRY = re.compile(r"""(?:^|[{,])\s*["']?([\w.-]+)["']?\s*[:=]\s*["']?({(?=\s*$)|[^,{}\]"'#;\s]+)""")
NUMBER = re.compile(r"-?\d+(\.\d*)?(e[+-]?\d+)?", re.IGNORECASE)
STORED = re.compile(r"\.(pt|pth|ckpt|bin|safetensors|np[yz]|csv|tsv|json|txt|pkl)$", re.IGNORECASE)
NAMING = frozenset({"checkpoint_restore_misuse"})  # a fault that the name of a file may be
# names of options that decide nothing of what is learned
NEUTRAL = re.compile(
    r"(^|_)(device|\w*seed|log(s|ging|dir|file|ger)?|print\w*|verbos\w*|out(s|put\w*|dir|file)?|save\w*|run(s|name)?"
    r"|tags?|notes?|exp(eriment)?(name)?)(_|$)",
    re.IGNORECASE,
)
DEFAULT = -100  # of ``ignore_index``: nothing is ignored


@cache
def table() -> dict[str, list[dict[str, Any]]]:
    """Fault -> looks, tried in turn: ``key``, ``value`` (regular expressions), ``measured`` and ``quantity``."""
    text = files(__package__).joinpath("entries.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def entry(finding: Finding, project: Project) -> Setting | None:
    """The one entry of the configuration that the fault is laid at; None where there is none, or several."""
    looks = table().get(finding.fault)
    if looks is None:
        return None
    for wanted in looks:
        found = list(_matching(project.configuration, wanted, finding)) or list(
            _in_code(project, wanted, finding)
        )
        if len(found) == 1:
            return found[0]
    return None


def named_on(project: Project, file: str | None, line: int | None) -> Setting | None:
    """The one entry of the configuration whose name stands on a line of code, outside of shapes, and whose value is a
    number.
    """
    nodes = [n for _, statement in project.at(file, line) for n in ast.walk(statement)]
    shapes = {id(n) for s in nodes if isinstance(s, ast.Tuple | ast.List) for n in ast.walk(s)}
    words = {n.id for n in nodes if isinstance(n, ast.Name) and id(n) not in shapes}
    found = [
        Setting(str(path), number, key)
        for path, number, text in project.configuration
        for key, value in ENTRY.findall(text)
        if key.rpartition(".")[2] in words and NUMBER.fullmatch(value)
    ]
    return found[0] if len(found) == 1 else None


def given_option(finding: Finding, args: tuple[str, ...]) -> tuple[str, str] | None:
    """(argument, name) of the one option on the command line that the fault is laid at in the same way."""
    for wanted in table().get(finding.fault, ()):
        found = [
            (told, name)
            for told, name, value in _options(args)
            if re.fullmatch(wanted["key"], name.rpartition(".")[2], re.IGNORECASE)
            and re.fullmatch(wanted.get("value", ".*"), value, re.IGNORECASE)
            and _agrees(value, wanted, finding)
        ]
        if len(found) == 1:
            return found[0]
    return None


def picked_option(
    project: Project, places: tuple[tuple[str | None, int | None], ...], args: tuple[str, ...]
) -> tuple[str, str] | None:
    """(argument, name) of the one option of the command line that picks something (a word, or a flag) rather than
    giving an amount or a file, where what feeds one of these lines asks for it.
    """
    words = [
        (told, name)
        for told, name, value in (*_options(args), *_flags(args))
        if re.fullmatch(r"[A-Za-z][\w-]*", value) and not NEUTRAL.search(name)
    ]
    if len(words) != 1:
        return None
    asked = re.compile(rf"\b{re.escape(words[0][1])}\b")
    starts = [start for place in places for start in project.at(*place)]
    lines = (headed(node) for _, node in starts if isinstance(node, (ast.stmt, ast.expr)))
    used = any(map(asked.search, (*lines, *(reached.text for reached in feeding(project, starts)))))
    return words[0] if used else None


def _flags(args: tuple[str, ...]) -> Iterator[tuple[str, str, str]]:
    """The same of every option without a value."""
    for argument, following in zip(args, (*args[1:], "--"), strict=False):
        if (
            argument.startswith("--")
            and "=" not in argument
            and following.startswith("--")
            and argument != "--"
        ):
            yield argument, argument.lstrip("-").replace("-", "_"), "true"


def _options(args: tuple[str, ...]) -> Iterator[tuple[str, str, str]]:
    """(as written, name, value) of every option with a value: ``--lr 0.1``, ``--lr=0.1``, ``train.lr=0.1``."""
    for argument, following in zip(args, (*args[1:], "--"), strict=False):
        name, equals, value = argument.partition("=")
        if equals:
            yield argument, name.lstrip("-").replace("-", "_"), value
        elif name.startswith("--") and not following.startswith("--"):
            yield f"{name} {following}", name.lstrip("-").replace("-", "_"), following


def names_a_file(project: Project, chosen: Setting) -> bool:
    """Whether an entry of the configuration is the name of a file: then its content is at fault, not its name."""
    text = next(
        (t for file, n, t in project.configuration if (str(file), n) == (chosen.file, chosen.line)), ""
    )
    return any(STORED.search(value) for _, value in ENTRY.findall(text))


def _in_code(project: Project, wanted: dict[str, Any], finding: Finding) -> Iterator[Setting]:
    """Lines of code that give such a name the value that was measured, or such a text: a default, a constant."""
    if wanted.get("measured") != "same" and not wanted.get("code"):
        return
    key = re.compile(wanted["key"], re.IGNORECASE)
    words = _Texts(wanted["value"]) if "value" in wanted else NUMBERS
    for file, tree in project.trees.items():
        for origin in in_code(file, tree, key, words):
            if _agrees(str(origin.value), wanted, finding):
                yield Setting(str(file), origin.line, origin.name)


class _Texts(dict[str, float]):
    """Texts that a pattern fits, each of which counts as a number."""

    def __init__(self, pattern: str) -> None:
        super().__init__()
        self._pattern = re.compile(pattern, re.IGNORECASE)

    def get(self, text: str, default: Any = None) -> Any:
        return 1.0 if self._pattern.fullmatch(text) else default


def _matching(lines: list[Line], wanted: dict[str, Any], finding: Finding) -> Iterator[Setting]:
    for file, number, text in lines:
        for key, value in ENTRY.findall(text):
            named = re.fullmatch(wanted["key"], key, re.IGNORECASE)
            fits = named and re.fullmatch(wanted.get("value", ".*"), value, re.IGNORECASE)
            content = (
                STORED.search(value) and finding.fault not in NAMING
            )  # the file is at fault, not its name
            if fits and not content and _agrees(value, wanted, finding):
                yield Setting(str(file), number, key)


def _agrees(value: str, wanted: dict[str, Any], finding: Finding) -> bool:
    """Whether the value is, or is not, what was measured, as the table asks."""
    if "measured" not in wanted:
        return True
    told = next((e.value for e in finding.evidence if re.fullmatch(wanted["quantity"], e.quantity)), None)
    if wanted["measured"] == "set":
        return told not in (None, DEFAULT)
    try:
        same = float(value.lstrip("[(")) == float(told)  # type: ignore[arg-type]  # of a list, its first
    except (TypeError, ValueError):
        return False
    return same is (wanted["measured"] == "same")
