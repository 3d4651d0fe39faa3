"""# target_leakage: the model can read the answer during training

**What it is.** The input holds the target: a column that repeats it, an attention that sees the next token, a
bidirectional layer in a next-token model, a mask that shows a pixel to its own answer, targets that are not shifted
against the input.

**Signal.** Asked after the run: do the outputs before the last position change when only the last input does, in a
model whose targets are the next inputs? Of a model of pictures or rows whose targets are its inputs: does the answer
for a place change with that place, when those of the places before it (or those behind it) do not? For tables: a column
that determines the target by itself, or that tells the classes apart in training and no longer in evaluation, or that
has one value in nearly all samples of one class and in hardly any of the other, beside columns that tell much less. For
forecasts of several numbers: every one of them is, up to a factor and a shift, among the numbers of one input, in each
of the batches that are looked at; of a single one in a wide window, always at the same place, beside numbers that are
far less like it. For decoders: an input that is what they are asked for, in its place. For masked symbols: nearly all
that the loss asks for stand unmasked in the input, in each of the batches. For symbols of a fixed place: one that is
the label of each training sample, and of few held-out ones.

**Why it matters.** The training loss is wonderful and worth nothing: at prediction time the answer is not there.

**Remedy.** Mask the future (causal mask, one direction), shift the targets by one, drop columns that are made from
the target or known only afterwards.

**When it stays silent.** Models that may see the whole sequence (classification, masked tokens, reconstruction);
answers fed back one step later (teacher forcing); one or two input features; features that are merely strong, in
evaluation too, unless one value marks a class.

**Confirming intervention.** For a column `without_feature`: with it zeroed the same run must end clearly worse. For
sequences the question that is asked after the run is one: the last input alone is changed. None for forecasts.

**References.** Vaswani et al., "Attention is all you need" (2017), 3.2.3 (masking); Kaufman et al., "Leakage in data
mining" (2012).
"""

from __future__ import annotations

from typing import Any

from ..model import Evidence, Finding, Trace
from ..traces.symbols import given_away
from ..traces.wiring import calls_per_loss
from ._columns import APART, COPY, EXACT, MIXED, WEAKER, copying, filled_in, misleading
from ._evidence import data_site, loss_span
from .base import Rule, at, found, number, proven, rounded

RULE = Rule(
    fault="target_leakage",
    severity="critical",
    sheet="loss-functions-and-objectives#target-leakage",
    summary="Nothing in the input may hold the answer that is asked for.",
    remedy="Mask the future (causal mask, one direction), or drop the input column that holds the target.",
    symptom="overfitting",
    structural=True,
    cures=False,
    contraindications=("A very low training loss is no success here: do not stop early because of it.",),
)

NEXT = 0.9  # share of targets that are the next input
SEEN = 1e-3  # change in standard deviations of the outputs; a causal model leaves exactly 0, or rounding
ECHOES = 4  # batches that must agree
# of the asked symbols: masking keeps a tenth of them on purpose (Devlin et al., 2019); at most half are asked for
SHOWN, PICKED = 0.95, 0.5


def check(trace: Trace) -> Finding | None:
    for probe in trace.of("probe"):
        if probe["what"] == "future" and probe.get("shifted") is not None:
            future, copied = probe["change"] > SEEN, (probe.get("same") or 0.0) > NEXT
            if probe["shifted"] > NEXT and future:
                seen = "The model predicts the next input, and its outputs see it already."
                proof = "after the run the last input alone was changed: outputs before it moved by"
                moved = f"{number(probe['change'])} standard deviations (a causal model: 0)"
                return proven(_sequence(trace, probe, seen), f"{proof} {moved}")
            if copied and not future and probe["shifted"] < NEXT:
                why = "The targets are the inputs themselves, not shifted: the model only has to copy."
                return _sequence(trace, probe, why)
    return (
        _own_place(trace)
        or _column(trace)
        or _symbol(trace)
        or _telltale(trace)
        or _filled(trace)
        or _echoed(trace)
        or _unmasked(trace)
    )


def interventions(trace: Trace) -> tuple[dict[str, Any], ...]:
    """Without the columns that hold the answers."""
    found = copying(trace) or misleading(trace) or filled_in(trace)
    symbol = given_away(trace)
    column = found.column if found is not None else symbol.column if symbol is not None else None
    if column is not None:
        return ({"name": "without_feature", "columns": [column]},)
    if _echoed(trace) is not None:
        row = trace.of("echo")[0]
        return (
            {"name": "without_feature", "columns": sorted(set(row["columns"])), "argument": row["input"]},
        )
    return ()


def _sequence(trace: Trace, probe: dict[str, Any], why: str) -> Finding:
    return found(
        RULE,
        0.97,
        why,
        Evidence(quantity="change of earlier outputs when only the last input changes, in standard deviations",
                 value=rounded(probe["change"]), threshold=SEEN),
        Evidence(quantity="share of targets that are the next input", value=probe["shifted"], threshold=NEXT),
        Evidence(quantity="share of targets that are the input itself", value=probe.get("same") or 0.0),
        loss_span(trace),
        where=at(trace.site("attention") or trace.site("rnn") or trace.site("loss") or trace.site("backward")),
    )  # fmt: skip


def _own_place(trace: Trace) -> Finding | None:
    """Places that are foretold from those before them, or behind them, and from themselves."""
    seen = next((p for p in trace.of("probe") if p["what"] == "itself"), None)
    if seen is None or seen["own"] <= SEEN:
        return None
    unseen, other = sorted((seen["earlier"], seen["later"]))
    if not unseen <= SEEN < other:
        return None
    finding = found(
        RULE,
        0.95,
        "The model is asked for what stands at each place, and its answer for a place sees that place.",
        Evidence(quantity="change of the answer for a place when only that place changes, in standard deviations",
                 value=rounded(seen["own"]), threshold=SEEN),
        Evidence(quantity="the same for the places on the side that is not read", value=rounded(unseen)),
        loss_span(trace),
        where=at(trace.site("forward") or trace.site("loss") or trace.site("backward")),
    )  # fmt: skip
    proof = "after the run the middle place alone was changed: the answer for it moved by"
    return proven(
        finding, f"{proof} {number(seen['own'])} standard deviations (a model that foretells it: 0)"
    )


def _column(trace: Trace) -> Finding | None:
    seen = copying(trace)
    if seen is None:
        return None
    shape = next(r["shape"] for r in trace.of("sample") if r["grad"])
    place = (
        f" (moment {seen.column // shape[1]}, feature {seen.column % shape[1]})" if len(shape) == 2 else ""
    )
    return found(
        RULE,
        0.85,
        f"Input column {seen.column}{place} is the target itself, up to a factor and a shift.",
        Evidence(
            quantity=f"correlation of input column {seen.column} with the target",
            value=rounded(seen.score, 4),
            threshold=COPY if not place else EXACT,
        ),
        Evidence(quantity="next column", value=rounded(seen.other, 4)),
        Evidence(quantity="samples looked at", value=seen.samples),
        loss_span(trace),
        where=at(data_site(trace) or trace.site("loss")),
    )


def _symbol(trace: Trace) -> Finding | None:
    seen = given_away(trace)
    if seen is None:
        return None
    return found(
        RULE,
        0.9,
        f"Symbol {seen.column} of each training input is the label itself; of held-out inputs it is not.",
        Evidence(quantity=f"share of training samples whose symbol {seen.column} (counted from 0) is their label",
                 value=rounded(seen.train, 4)),
        Evidence(quantity="the same, evaluation", value=rounded(seen.evaluation, 4)),
        Evidence(quantity="samples looked at", value=seen.samples),
        loss_span(trace),
        where=at(data_site(trace) or trace.site("loss")),
    )  # fmt: skip


def _filled(trace: Trace) -> Finding | None:
    seen = filled_in(trace)
    if seen is None:
        return None
    return found(
        RULE,
        0.75,
        f"Input column {seen.column} is empty in one class and filled in the other, as if written after the event.",
        Evidence(quantity=f"separation of the classes by column {seen.column} alone (0.5 none, 1 whole)",
                 value=rounded(seen.score, 4)),
        Evidence(quantity="the same, next best column", value=rounded(seen.other, 4), threshold=WEAKER),
        Evidence(quantity="samples looked at", value=seen.samples),
        loss_span(trace),
        where=at(data_site(trace) or trace.site("loss")),
    )  # fmt: skip


def _unmasked(trace: Trace) -> Finding | None:
    """Symbols that the loss picks out of the input, and that the input shows all the same."""
    rows = trace.of("masked")
    if len(rows) < ECHOES or any(r["same"] < SHOWN or r["asked"] > PICKED for r in rows):
        return None
    return found(
        RULE,
        0.9,
        "The symbols that the model is asked for are not masked: its input shows them where they are asked for.",
        Evidence(quantity="share of the asked symbols that the input shows, lowest of the batches",
                 value=min(r["same"] for r in rows), threshold=SHOWN),
        Evidence(quantity="share of all symbols that are asked for", value=rows[0]["asked"]),
        loss_span(trace),
        where=at(data_site(trace) or trace.site("loss")),
    )  # fmt: skip


def _echoed(trace: Trace) -> Finding | None:
    """Of several numbers per target every one is, up to a factor and a shift, a number of one and the same input; or a
    single one always the same number of a wide input.
    """
    rows = trace.of("echo")
    if len(rows) < ECHOES or any(r["share"] < 1.0 for r in rows):
        return None
    single = rows[0]["answers"] == 1
    if single and (len({tuple(r["columns"]) for r in rows}) > 1 or calls_per_loss(trace) > 1):
        return None
    columns = ", ".join(map(str, rows[0]["columns"][:4]))
    return found(
        RULE,
        0.8,
        f"Input number {columns} of each sample is the target itself, up to a factor and a shift."
        if single
        else f"Each of the {rows[0]['answers']} numbers that are asked for is among the inputs already.",
        Evidence(quantity="share of the answers that some input number gives away, every batch", value=1.0),
        Evidence(quantity="the first of those input numbers", value=columns),
        Evidence(quantity="batches looked at", value=len(rows)),
        loss_span(trace),
        where=at(data_site(trace) or trace.site("loss")),
    )


def _telltale(trace: Trace) -> Finding | None:
    seen = misleading(trace)
    if seen is None:
        return None
    return found(
        RULE,
        0.85,
        f"Input column {seen.column} alone tells the classes apart in training, but not in evaluation.",
        Evidence(quantity=f"separation of the classes by column {seen.column}, training (0.5 none, 1 whole)",
                 value=rounded(seen.score, 4), threshold=APART),
        Evidence(quantity="the same, evaluation", value=rounded(seen.other, 4), threshold=MIXED),
        loss_span(trace),
        where=at(data_site(trace) or trace.site("loss")),
    )  # fmt: skip
