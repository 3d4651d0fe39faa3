"""What a person sees at a terminal: one live line while it runs, then rows with a little colour.

rich decides about colour (NO_COLOR, dumb terminals, pipes). Text is passed as Text, never as markup, so
nothing that a script printed can style or hide anything.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.markdown import Markdown
from rich.text import Text

from .model import Diagnosis
from .reports.rows import Row, Tone, report_rows
from .reports.text import INDENT, LABEL, wrapped
from .reports.untrusted import one_line

Report = Callable[[float, float | None, str], Awaitable[None]]

_STYLES: dict[Tone, str] = {
    "plain": "",
    "dim": "dim",
    "good": "green",
    "bad": "bold red",
    "warn": "yellow",
    "added": "green",
    "removed": "red",
}
_WIDEST = 110  # longer lines are hard to read, however wide the window is


def print_verdict(diagnosis: Diagnosis) -> None:
    """The report on stdout."""
    print_rows(report_rows(diagnosis))


def print_rows(rows: Iterable[Row]) -> None:
    """Rows on stdout, wrapped at the width of the window."""
    console = _console()
    for row in rows:
        for line in wrapped(row, min(console.width, _WIDEST)):
            console.print(_styled(line, row), soft_wrap=True)


def print_lines(text: str) -> None:
    """Finished lines on stdout, uninterpreted."""
    _console().print(Text(text.rstrip("\n")), soft_wrap=True)


def print_markdown(text: str) -> None:
    """Our own markdown: rendered for a person, as it is for a pipe."""
    console = _console()
    if console.is_terminal:
        console.print(Markdown(text), width=min(console.width, _WIDEST))
    else:
        print_lines(text)


def warn(text: str) -> None:
    """A warning on stderr."""
    _console(stderr=True).print(Text(f"warning: {text}", style="yellow"), soft_wrap=True)


@contextmanager
def live_line() -> Iterator[Report]:
    """One line on stderr that shows progress and is gone afterwards; nothing at all in a pipe."""
    console = _console(stderr=True)
    if not console.is_terminal:
        yield _silent
        return
    with console.status(Text("starting")) as status:

        async def show(progress: float, total: float | None, message: str) -> None:
            status.update(Text(one_line(message, max(20, console.width - 8))))

        yield show


async def _silent(progress: float, total: float | None, message: str) -> None:
    return None


def _styled(line: str, row: Row) -> Text:
    text = Text(line, style=_STYLES[row.tone])
    if row.tone == "plain":
        text.stylize("bold", INDENT, INDENT + LABEL)
    return text


def _console(stderr: bool = False) -> Console:
    console = Console(stderr=stderr, highlight=False, markup=False, emoji=False)
    if not console.is_terminal:
        console.width = _WIDEST  # a file or a pipe has no width; rich would assume 80
    return console
