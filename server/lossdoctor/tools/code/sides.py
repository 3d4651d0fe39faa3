"""The entry of a configuration by which evaluation is prepared otherwise than training.

Configurations that describe both sides in sections of their own (``[frontend.train]`` and ``[frontend.dev]``) or under
keys of their own (``train_power``, ``val_power``), or list the steps of each (``train = ["crop", "log"]``), say the
same twice. Where they differ in one thing only, that is it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from ...model import Finding
from .entries import ENTRY, STORED
from .project import Project
from .settings import Setting

# what the two sides have of their own by nature: how much there is of them, and how it is handed out
OWN = re.compile(
    r"(^|[._])(n|num|count|size|length|len|rows|samples|share|frac(tion)?|ratio|seed|batch(_?size)?|shuffle|drop_?last"
    r"|(num_?)?workers)$"
)
PREPARED = frozenset({"preprocess_mismatch"})
HEADER = re.compile(r"""^\s*(?:\[+([\w.\- ]+)\]+|[{,]*\s*["']?([\w.-]+)["']?\s*:\s*(?:\{\s*)?)\s*$""")
STEPS = re.compile(r"""([\w.-]+)["']?\s*[:=]\s*(\[\s*["'][^\]./]*\])""")  # a list of names, not of files
STEPWISE = "[]"  # behind the name of an entry that is a list
TRAINING = re.compile(r"(?:^|[._-])(train(?:ing)?|fit)(?=$|[._-])")
HELD_OUT = re.compile(
    r"(?:^|[._-])(val(?:id(?:ation)?)?|dev|test|eval(?:uation)?|infer(?:ence)?|serve|serving)(?=$|[._-])"
)


def differing(finding: Finding, project: Project) -> Setting | None:
    """The one entry that evaluation and training both have and that differs, of several in one section the first; None
    where there is none, or several elsewhere. Files and numbers of samples differ by nature.
    """
    if finding.fault not in PREPARED:
        return None
    told: dict[tuple[str, str], dict[bool, tuple[str, int]]] = defaultdict(dict)
    for file, number, path, value, kind in _entries(project):
        side = _side(path)
        if side is not None:
            told[file, side[1] + kind].setdefault(side[0], (value, number))
    found = [(*place, both) for place, both in told.items() if len(both) == 2]
    unlike = [
        (place, name, both[True][1])
        for place, name, both in found
        if both[True][0] != both[False][0]
        and not OWN.search(name.removesuffix(STEPWISE))
        and not any(STORED.search(value) for value, _ in both.values())
    ]
    sections = {(place, name.rpartition(".")[0]) for place, name, _ in unlike}
    # with a single entry in common they are not descriptions of the same; a list is told twice
    if (
        len(sections) != 1
        or len(found) < 2
        or (len(unlike) > 1 and not all(section for _, section in sections))
    ):
        return None
    place, name, number = unlike[0]
    return Setting(place, number, name.removesuffix(STEPWISE).rpartition(".")[2])


def _entries(project: Project) -> Iterator[tuple[str, int, str, str, str]]:
    """(file, line, path, value, kind) of the entries; the path begins with the sections that an entry stands in: the
    header above, or all headers that are indented less.
    """
    above: list[tuple[int, str]] = []
    last = None
    for file, number, text in project.configuration:
        header, depth = HEADER.match(text), len(text) - len(text.lstrip())
        if file != last or (header and header.group(1)):
            above, last = [], file
        if text.strip() and not (header and header.group(1)):
            above = [(d, name) for d, name in above if d < depth or d < 0]
        if header:
            above.append((-1 if header.group(1) else depth, header.group(1) or header.group(2)))
            continue
        section = ".".join(name for _, name in above)
        for pattern, kind in ((ENTRY, ""), (STEPS, STEPWISE)):
            for key, value in pattern.findall(text):
                yield str(file), number, f"{section}.{key}", value, kind


def _side(path: str) -> tuple[bool, str] | None:
    """(whether of evaluation, the path without the name of the side); None for what belongs to neither."""
    lower = path.lower()
    for held, pattern in ((False, TRAINING), (True, HELD_OUT)):
        if pattern.search(lower):
            return held, pattern.sub("", lower, count=1).strip("._-")
    return None
