"""A route as plain text."""

from __future__ import annotations

from collections.abc import Iterator

from ..model import Ref, Route
from .rows import Row
from .text import wrapped
from .untrusted import one_line


def route_text(route: Route, width: int = 100) -> str:
    """Where to look, or the one question to answer; ends in a newline."""
    lines = (line for row in _rows(route) for line in wrapped(row, width))
    return "\n".join(lines) + "\n"


def _rows(route: Route) -> Iterator[Row]:
    yield Row(
        "", f"{route.status.replace('_', ' ')}" + (f": {route.symptom_class}" if route.symptom_class else "")
    )
    if route.pressure:
        yield Row("hear", one_line(route.pressure.reply, 400))
    if route.question:
        yield Row("ask", one_line(route.question.text, 400))
        yield Row("", f"options: {', '.join(route.question.options)}")
        yield Row("because", one_line(route.question.why, 400))
    for label, refs in (("read", route.primary), ("then", route.secondary)):
        yield from (Row(label, _pointer(ref)) for ref in refs)
    if route.next_probe:
        yield Row("probe", one_line(f"{route.next_probe.tool}: {route.next_probe.settles}", 300))
    yield from (Row("avoid", one_line(text, 300)) for text in route.avoid)
    if route.risk:
        yield Row("risk", one_line(route.risk, 300))


def _pointer(ref: Ref) -> str:
    name = f"{ref.id}#{ref.section}" if ref.section else ref.id
    pack = " (another pack)" if ref.kind == "pack" else ""
    return one_line(f"{name}{pack}: {ref.why or ref.summary}", 300)
