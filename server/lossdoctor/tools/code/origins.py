"""From the line where a fault was seen to the line where it is mended."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

from ...detectors.base import site_by_id
from ...model import Evidence, Finding, Trace
from ...reports.untrusted import one_line
from . import choices
from .culprits import culprit
from .entries import NAMING, entry, given_option, named_on, names_a_file, picked_option
from .flow import headed
from .literals import loosely
from .loops import training_loop
from .patterns import unmatched
from .project import Project
from .settings import Setting, argument_line, given_for, setting
from .sides import differing
from .sources import read_for, sources

# faults whose entry tells itself by its value: the name of a format, or of what is done to the inputs
TELLING = frozenset({"low_precision_stall", "augmentation_destroys_signal"})
OF_VALUES = frozenset({"bad_initialization", "dead_relu", "saturated_activation"})
GIVEN = "set on the command line by"
SIZES = frozenset({"underfitting_capacity"})  # of a layer: what is changed is a setting
MOST_OPENED = 40  # files that the recorder tells of: there may have been more


def located(
    findings: tuple[Finding, ...], trace: Trace, root: Path, args: tuple[str, ...]
) -> tuple[Finding, ...]:
    """The findings with the place where their setting is written, or where their cause seems to be made, as their own
    line, and the line where it was seen as evidence; a command line that sets it and files that the data came from are
    named in the evidence. A finding that has a module or a parameter but no line gets the line that calls the module.
    """
    if not findings:
        return ()
    try:
        read = {str(row["file"]) for row in trace.of("opened")}
        counted = (trace.end or {}).get("counters", {}).get("opened", len(read) or MOST_OPENED)
        read_all = counted < MOST_OPENED
        ran = dict.fromkeys(
            [*(s.file for s in trace.sites), *(f for r in trace.of("code") for f in r["files"])]
        )
        own = (Path(file) for file in ran if root in Path(file).parents)
        project = Project(root, own, read if read_all else None, ran if trace.of("code") else None)
        named = (_at_loop(_at_definition(finding, project), trace, project) for finding in findings)
        placed = (_picked(_at_call(finding, trace), trace, project, args) for finding in named)
        return tuple(_sourced(finding, trace, root) for finding in placed)
    except RecursionError:
        return findings  # code that is nested deeper than Python reads it


def _picked(finding: Finding, trace: Trace, project: Project, args: tuple[str, ...]) -> Finding:
    """The finding where its setting is written or its cause seems to be made; with the name of what the command line
    picks on the way there, unless that is no setting of its own.
    """
    result, seen = _located(finding, trace, project, args), finding.where
    if any(e.quantity == GIVEN for e in result.evidence) or seen.parameter is not None:
        return result
    places = ((seen.file, seen.line), (result.where.file, result.where.line))
    picked = picked_option(project, places, args) if args else None
    if picked is None or not result.where.line:
        return result
    where = result.where.model_copy(update={"parameter": picked[1]})
    return _with(result.model_copy(update={"where": where}), GIVEN, picked[0])


def _located(finding: Finding, trace: Trace, project: Project, args: tuple[str, ...]) -> Finding:
    names = given_for(finding, trace, project) if args else []
    given = next(((a, n) for a in args for n in names if re.match(rf"-*{loosely(n)}(=|$)", a)), None)
    if given is not None:
        return _with(_named(finding, given[1]), GIVEN, given[0])
    written = setting(finding, trace, project)
    if written is not None:
        return _moved(finding, written.file, written.line, "used at", written)
    option = given_option(finding, args)
    if option is not None:
        return _with(_named(finding, option[1]), GIVEN, option[0])
    made, place = culprit(finding, trace, project), finding.where
    places = ((place.file, place.line), *((made,) if made else ()))
    asked = choices.option(finding.fault, project, places, args) if args else None
    if asked is not None:
        seen = _moved(finding, *made, "seen at") if made else finding
        return _with(_named(seen, asked[1]), GIVEN, asked[0])
    told = entry(finding, project) if finding.fault in TELLING else None
    chosen = told or choices.choice(finding.fault, project, places)
    if chosen is not None and finding.fault not in NAMING and names_a_file(project, chosen):
        chosen = None
    chosen = chosen or unmatched(finding, trace, project) or differing(finding, project)
    chosen = chosen or entry(finding, project)
    if chosen is None and finding.fault in OF_VALUES:
        chosen = named_on(project, *(made or (place.file, place.line)))
    if chosen is not None:
        return _moved(finding, chosen.file, chosen.line, "used at", chosen)
    made = made or read_for(finding, trace, project)
    if made is not None:
        return _moved(finding, *made, "seen at")
    line = argument_line(finding, trace, project) if len(finding.evidence) else None
    return finding if line is None else _moved(finding, place.file or "", line, "seen at")


def _sourced(finding: Finding, trace: Trace, root: Path) -> Finding:
    read = sources(finding.fault, trace, root)
    return finding if read is None else _with(finding, "data files read", read)


def _moved(finding: Finding, file: str, line: int, role: str, written: Setting | None = None) -> Finding:
    """The finding at another line; where it stood becomes evidence. A setting's name is what is to be changed."""
    place = finding.where
    result = _named(finding, written.name) if written else finding
    result = _put(result, file, line)
    if (file, line) == (place.file, place.line) or place.line is None:
        return result
    return _with(result, role, f"{Path(place.file or '').name}:{place.line}")


def _put(finding: Finding, file: str, line: int) -> Finding:
    """The finding at another line."""
    return finding.model_copy(update={"where": finding.where.model_copy(update={"file": file, "line": line})})


def _named(finding: Finding, name: str) -> Finding:
    """The finding with the name of the setting to be changed, where no parameter of the model is to be."""
    if (finding.where.parameter is not None and finding.fault not in SIZES) or not name:
        return finding
    return finding.model_copy(update={"where": finding.where.model_copy(update={"parameter": name})})


def _at_definition(finding: Finding, project: Project) -> Finding:
    """The line that makes a parameter by hand, for a fault of its first values: ``self.scale = nn.Parameter(...)``."""
    place, name = finding.where, (finding.where.parameter or "").rpartition(".")[2]
    if place.line is not None or finding.fault not in OF_VALUES or not name:
        return finding
    made = [b for b in project.attributes.get(name, ()) if "Parameter(" in headed(b.node)]
    if len(made) != 1:
        return finding
    return _put(finding, str(made[0].scope.file), made[0].line)


def _at_loop(finding: Finding, trace: Trace, project: Project) -> Finding:
    """The loop that ended too soon, where the recorder knew none by its name."""
    loop = training_loop(finding, trace, project)
    if loop is None:
        return finding
    return _put(finding, *loop)


def _at_call(finding: Finding, trace: Trace) -> Finding:
    """The line that loaded the parameter, else the one that calls its module."""
    place = finding.where
    paths = (place.module or "", (place.parameter or "").rpartition(".")[0])
    if place.line is not None or not (place.module or place.parameter):
        return finding
    loaded = any(p.loaded for p in trace.parameters if p.name == place.parameter)
    calls = {k: v for row in trace.of("model") for k, v in row.get("calls", {}).items()}
    called = (calls.get(path) for path in map(partial(_nearest, calls), paths))
    site = (
        trace.site("load") if loaded else site_by_id(trace, next((c for c in called if c is not None), None))
    )
    if site is None:
        return finding
    return _put(finding, site.file, site.line)


def _nearest(calls: dict[str, int | None], path: str) -> str:
    """The module itself, or the nearest one around it, of those whose calls are known."""
    while path and path not in calls:
        path = path.rpartition(".")[0]
    return path


def _with(finding: Finding, quantity: str, value: str) -> Finding:
    more = Evidence(quantity=quantity, value=one_line(value, 160))
    return finding.model_copy(update={"evidence": (*finding.evidence, more)})
