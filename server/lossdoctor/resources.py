"""Resources and their completions: the sheets, the fault pages and the agent. Tools reach all of it too."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from mcp.server import MCPServer
from mcp.types import (
    Completion,
    CompletionArgument,
    CompletionContext,
    PromptReference,
    ResourceTemplateReference,
)

from .data import data_dir
from .envelope import not_found
from .errors import LossDoctorError
from .model import Trace
from .sheetbook import read_sheet, section_ids, sheet_ids

T = TypeVar("T")
MARKDOWN = "text/markdown"


def register(server: MCPServer[None]) -> None:
    """Add every resource, template and completion to ``server``."""
    template, listed = server.resource, server.resource
    template(
        "sheet://{sheet}", title="A sheet", description="Summary and list of sections.", mime_type=MARKDOWN
    )(sheet)
    template(
        "sheet://{sheet}/{section}",
        title="A section of a sheet",
        mime_type=MARKDOWN,
        description="Its whole text.",
    )(sheet_section)
    template(
        "fault://{fault}",
        title="A fault page",
        description="What the fault is, its signal, its remedy and when the detector stays silent.",
        mime_type=MARKDOWN,
    )(fault_page)
    template(
        "trace://{trace}",
        title="A recorded run",
        description="How it began and ended, and its parts: steps, parameters, activations, batches, ...",
        mime_type="application/json",
    )(trace_overview)
    template(
        "trace://{trace}/{part}",
        title="A part of a recorded run",
        description="steps and parameters as CSV, other record kinds as JSON lines; long ones are thinned.",
        mime_type="text/plain",
    )(trace_part)
    template(
        "trace://{trace}/plots/{plot}",
        title="A plot of a recorded run",
        description="SVG: loss (with what each experiment did to it), gradients, updates, rate.",
        mime_type="image/svg+xml",
    )(trace_plot)
    listed(
        "agent://training-diagnostician",
        title="Training diagnostician",
        description="A sub-agent that measures a run before it advises.",
        mime_type=MARKDOWN,
    )(training_diagnostician)
    server.completion()(complete)  # type: ignore[no-untyped-call]  # untyped in the SDK


def sheet(sheet: str) -> str:
    page = _found(lambda: read_sheet(sheet))
    lines = [f"- [{line.id}](sheet://{sheet}/{line.id}): {line.summary}" for line in page.sections]
    return "\n\n".join([f"# {page.title}", page.text, "\n".join(lines)])


def sheet_section(sheet: str, section: str) -> str:
    page = _found(lambda: read_sheet(sheet, section))
    return f"# {page.title}\n\n{page.text}"


def fault_page(fault: str) -> str:
    from .detectors.catalogue import explain

    return _found(lambda: explain(fault))


def trace_overview(trace: str) -> str:
    from .reports.trace_text import overview

    return _found(lambda: overview(_trace(trace), f"trace://{trace}"))


def trace_part(trace: str, part: str) -> str:
    from .reports import trace_text

    return _found(lambda: trace_text.part(_trace(trace), part))


def trace_plot(trace: str, plot: str) -> str:
    from .reports.figures import draw
    from .tools.store import recorded

    return _found(lambda: draw(plot, *recorded(trace)))


def training_diagnostician() -> str:
    return (data_dir("agents") / "training-diagnostician.md").read_text(encoding="utf-8")


async def complete(
    ref: PromptReference | ResourceTemplateReference,
    argument: CompletionArgument,
    context: CompletionContext | None,
) -> Completion | None:
    """Names that start with what was typed; sections need the sheet to be known."""
    chosen = (context.arguments if context else None) or {}
    names = _candidates(argument.name, chosen.get("sheet"))
    fitting = [name for name in names if name.startswith(argument.value)]
    return Completion(values=fitting[:100], total=len(fitting), has_more=len(fitting) > 100)


def _candidates(argument: str, sheet: str | None) -> Iterable[str]:
    if argument == "sheet":
        return sheet_ids()
    if argument == "trace":
        return _traces()
    if argument == "plot":
        return _plots()
    if argument == "section" and sheet in sheet_ids():
        return section_ids(sheet)
    return _faults() if argument == "fault" else ()


def _trace(identity: str) -> Trace:
    from .tools.store import find
    from .traces.reader import read_trace

    return read_trace(find(identity))


def _traces() -> tuple[str, ...]:
    from .tools.store import traces_folder

    folder = traces_folder()
    return tuple(sorted(entry.name for entry in folder.iterdir())) if folder.is_dir() else ()


def _plots() -> tuple[str, ...]:
    from .reports.figures import NAMES

    return NAMES


def _faults() -> tuple[str, ...]:
    from .detectors.catalogue import fault_ids

    return fault_ids()


def _found(read: Callable[[], T]) -> T:
    try:
        return read()
    except LossDoctorError as error:
        raise not_found(error) from None
