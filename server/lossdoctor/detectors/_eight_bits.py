"""Amounts and classes that an eight-bit integer has turned over: a sign of label_encoding_wrong."""

from __future__ import annotations

from ..model import Evidence, Trace
from ..traces.progress import WELL, fitted
from ..traces.validation import generalised
from ..traces.wrapped import BEYOND, DENSE, END, HELD_BEYOND, RANGE, symbols_cut, wrapped
from .base import rounded


def of_eight_bits(trace: Trace) -> tuple[str, float, tuple[Evidence, ...]] | None:
    """What to say of targets that are such numbers, how sure, and the evidence; None in a run that learns them well,
    where bytes may be what was measured, unless held-out targets go on where those of training end.
    """
    cut = symbols_cut(trace)
    if cut is not None:
        return f"No label is beyond {RANGE}, but many of the symbols that it is one of are.", 0.85, (
            Evidence(quantity="different labels, all of eight bits", value=cut.different, threshold=RANGE + 1),
            Evidence(quantity="share of the input's symbols that are beyond", value=rounded(cut.beyond),
                     threshold=BEYOND),
        )  # fmt: skip
    seen, learned = wrapped(trace), generalised(trace)
    if seen is not None and seen.beyond > HELD_BEYOND:
        return f"No training target is beyond the {RANGE} of eight bits, but many held-out ones are.", 0.85, (
            Evidence(quantity="what the training targets are, up to a scale and a shift",
                     value=f"{seen.shape}, from {seen.low} to {RANGE}; {seen.different} different ones"),
            Evidence(quantity="share of the held-out targets that are beyond", value=rounded(seen.beyond),
                     threshold=HELD_BEYOND),
        )  # fmt: skip
    share = learned if learned is not None else fitted(trace)
    if seen is None or share is None or share > WELL:
        return None
    return "The targets are whole numbers of eight bits, as if larger ones had started again from 0.", 0.7, (
        Evidence(quantity="what the targets are, up to a scale and a shift",
                 value=f"{seen.shape}, from {seen.low} to {RANGE}; {seen.different} different ones"),
        Evidence(quantity="share of the targets in the last sixteenth of that range, where amounts thin out",
                 value=rounded(seen.at_end), threshold=rounded(DENSE * END / (RANGE + 1))),
        Evidence(quantity="share that is learned (0 chance, 1 perfect)", value=rounded(share), threshold=WELL),
    )  # fmt: skip
