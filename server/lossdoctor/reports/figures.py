"""Plots of a recorded run as SVG: what an expert would draw first. Drawn when they are asked for, by matplotlib.

Names of parameters and changes come from the user's script: they are shown as plain text, never as markup or formulas.
"""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ..errors import TraceInvalid
from ..model import Trace
from ..traces.measure import Curve, chance_loss, curve, finite, first_nonfinite, thinned
from ..traces.movement import update_ratios
from ..traces.trials import POINTS, Trial, known
from ..traces.validation import measured_losses
from .untrusted import one_line

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis

SIZE = (7.2, 3.4)  # inches
BARS = 24  # parameters; of more the smallest and the largest
NAME = 48  # characters of a name
# Okabe and Ito's palette, told apart with every kind of colour vision (https://jfly.uni-koeln.de/color/)
UNCHANGED, TRIALS = "#000000", ("#0072B2", "#D55E00", "#009E73", "#CC79A7")
STEEP = 20.0  # largest over smallest loss from which the axis is logarithmic

Draw = Callable[["Axes", Trace, Sequence[Trial]], None]


def plots(trace: Trace) -> tuple[str, ...]:
    """Names of the plots that there is something to show in."""
    return tuple(name for name, (_, _, shown) in _FIGURES.items() if shown(trace))


def title(name: str) -> str:
    """What a plot shows. Raises TraceInvalid for an unknown one."""
    return _figure(name)[0]


def draw(name: str, trace: Trace, trials: Sequence[Trial] = ()) -> str:
    """The plot as the text of an SVG image. Raises TraceInvalid for an unknown name, or one with nothing to draw."""
    told, onto, shown = _figure(name)
    if not shown(trace):
        raise TraceInvalid(f"nothing was recorded for the plot {name!r}", hint=f"plots: {_listed(trace)}")
    from matplotlib import rc_context
    from matplotlib.figure import Figure  # without pyplot: no window, no global state

    plain: Any = {"svg.fonttype": "none", "svg.hashsalt": name, "text.parse_math": False, "font.size": 9}
    with rc_context(plain):
        figure = Figure(figsize=SIZE, layout="constrained")
        axes = figure.add_subplot()
        axes.set_title(told, loc="left")
        for side in ("top", "right"):
            axes.spines[side].set_visible(False)
        onto(axes, trace, trials)
        text = io.StringIO()
        figure.savefig(text, format="svg", metadata={"Date": None, "Creator": "lossdoctor"})
    return text.getvalue()


def _figure(name: str) -> tuple[str, Draw, Callable[[Trace], bool]]:
    if name not in _FIGURES:
        raise TraceInvalid(f"there is no plot {name[:60]!r}", hint=f"plots: {', '.join(_FIGURES)}")
    return _FIGURES[name]


def _listed(trace: Trace) -> str:
    return ", ".join(plots(trace)) or "none in this trace"


def _loss(axes: Axes, trace: Trace, trials: Sequence[Trial]) -> None:
    points, held = thinned(finite(curve(trace)), POINTS), finite(tuple(measured_losses(trace)))
    _line(axes, points, held, UNCHANGED, "unchanged")
    drawn = [v for _, v in (*points, *held)]
    for colour, trial in zip(TRIALS, trials, strict=False):
        after, later = known(trial.losses), known(trial.held_out)
        _line(axes, after, later, colour, f"{one_line(trial.change, NAME)}: {trial.status}")
        drawn += [v for _, v in (*after, *later)]
    chance = chance_loss(trace)
    if chance is not None:
        axes.axhline(chance, color="grey", linewidth=0.8, linestyle=":", label="chance level")
    broken = first_nonfinite(trace)
    if broken is not None:
        axes.axvline(
            broken, color=UNCHANGED, linewidth=0.8, linestyle="--", label=f"not finite: step {broken}"
        )
    if drawn and min(drawn) > 0 and max(drawn) > STEEP * min(drawn):
        axes.set_yscale("log")
        _plain_numbers(axes.yaxis)
    axes.set_xlabel("step")
    axes.set_ylabel("loss (dots: held-out)" if held else "loss")
    axes.legend(fontsize=7, frameon=False)


def _line(axes: Axes, points: Curve, held: Curve, colour: str, label: str) -> None:
    if points:
        axes.plot(*zip(*points, strict=True), color=colour, linewidth=1.1, label=label)
    if held:
        axes.plot(*zip(*held, strict=True), color=colour, linestyle="none", marker="o", markersize=3)


def _gradients(axes: Axes, trace: Trace, trials: Sequence[Trial]) -> None:
    axes.plot(*zip(*thinned(_norms(trace), POINTS), strict=True), color=UNCHANGED, linewidth=1.1)
    axes.set_yscale("log")
    _plain_numbers(axes.yaxis)
    axes.set_xlabel("step")
    axes.set_ylabel("total norm before the step")


def _norms(trace: Trace) -> Curve:
    return tuple((s.i, s.grad_norm) for s in trace.steps if math.isfinite(s.grad_norm) and s.grad_norm > 0)


def _updates(axes: Axes, trace: Trace, trials: Sequence[Trial]) -> None:
    measured = update_ratios(trace)
    trained = [p for p in trace.parameters if p.requires_grad and (p.id in measured or len(p.shape) >= 2)]
    ratios = [(one_line(p.name, NAME), measured.get(p.id, 0.0)) for p in trained]
    if len(ratios) > BARS:
        ratios.sort(key=lambda pair: pair[1])
        ratios = ratios[: BARS // 2] + ratios[-BARS // 2 :]
        axes.set_title(f"{axes.get_title(loc='left')}: the smallest and the largest", loc="left")
    ratios.reverse()  # the first parameter on top
    moved = [(v, place) for place, (_, v) in enumerate(ratios) if v > 0]
    still = [place for place, (_, v) in enumerate(ratios) if v <= 0]
    if moved:
        axes.plot(*zip(*moved, strict=True), "o", color=TRIALS[0], markersize=4, label="moved")
        axes.set_xscale("log")
        _plain_numbers(axes.xaxis)
    if still:
        edge = min((v for v, _ in moved), default=1.0) / 2
        axes.plot([edge] * len(still), still, "x", color=TRIALS[1], markersize=5, label="no update seen")
        axes.legend(fontsize=7, frameon=False)
    axes.set_yticks(range(len(ratios)), [name for name, _ in ratios], fontsize=6)
    axes.set_xlabel("median |update| / |weight| per step")


def _plain_numbers(axis: Axis) -> None:
    """Ticks of a logarithmic axis as 0.01, 0.02, 0.05: powers would need formulas, which are off."""
    from matplotlib.ticker import LogLocator, NullLocator

    axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter("{x:g}")


def _rate(axes: Axes, trace: Trace, trials: Sequence[Trial]) -> None:
    for group, colour in zip(range(_groups(trace)), (UNCHANGED, *TRIALS), strict=False):
        points = thinned(tuple((s.i, s.lr[group]) for s in trace.steps if len(s.lr) > group), POINTS)
        axes.step(
            *zip(*points, strict=True), color=colour, linewidth=1.1, where="post", label=f"group {group}"
        )
    axes.set_xlabel("step")
    axes.set_ylabel("learning rate")
    if _groups(trace) > 1:
        axes.legend(fontsize=7, frameon=False)


def _groups(trace: Trace) -> int:
    return max((len(s.lr) for s in trace.steps), default=0)


_FIGURES: dict[str, tuple[str, Draw, Callable[[Trace], bool]]] = {
    "loss": ("Loss, and what each experiment did to it", _loss, lambda t: len(finite(curve(t))) > 1),
    "gradients": ("Gradient norm", _gradients, lambda t: len(_norms(t)) > 1),
    "updates": ("Updates per weight matrix", _updates, lambda t: bool(update_ratios(t))),
    "rate": ("Learning rate", _rate, lambda t: len({s.lr for s in t.steps if s.lr}) > 1),
}
NAMES = tuple(_FIGURES)
