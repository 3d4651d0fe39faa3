"""A diagnosis as one HTML page that needs nothing else: the rows of the terminal, and the plots."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

from ..model import Diagnosis, Trace
from ..traces.trials import Trial
from .figures import draw, plots, title
from .rows import report_rows


def page(diagnosis: Diagnosis, trace: Trace, trials: Sequence[Trial], script: str) -> str:
    """The whole page; everything that came from the script is escaped."""
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        undefined=StrictUndefined,
        autoescape=select_autoescape(("html.j2",)),
    )
    figures = [(title(name), _image(draw(name, trace, trials))) for name in plots(trace)]
    return environment.get_template("page.html.j2").render(
        script=script, verdict=diagnosis.verdict, rows=report_rows(diagnosis), figures=figures, trials=trials
    )


def _image(svg: str) -> str:
    """The image without its XML prologue; its text was escaped by who drew it."""
    return svg[svg.index("<svg") :]
