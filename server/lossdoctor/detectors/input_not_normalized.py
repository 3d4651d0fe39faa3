"""# input_not_normalized: input scale/offset prevents learning

**What it is.** Inputs are far from zero mean and unit spread: raw pixels or sensor units, a large offset, features of
very different sizes.

**Signal.** Size (root mean square), offset and unevenness of the inputs that the model gets, together with a run that
has not fitted its training data.

**Why it matters.** Large inputs saturate the first layer or make its gradient huge, an offset hides the signal behind
a constant, and one large feature forces a rate that is too small for all others.

**Remedy.** Subtract the mean and divide by the standard deviation of the training set, per feature or channel, and use
the same numbers in evaluation.

**When it stays silent.** Runs that fit well all the same (normalisation layers, robust optimizers); token ids; inputs
within a factor of ten of unit size with even features; models that scale their input themselves, so that their first
layer answers far smaller numbers. Raw units that the run fits in part (70 to 97 % of the way) are a mere suspicion,
which counts only where standardised inputs bring much of what the run misses, on held-out samples if there are any.

**Confirming intervention.** `standardise_inputs`: mean 0 and deviation 1 per feature, same seed, must end clearly
better. A loss of the script's own may be a likelihood of the inputs, which changes with their unit: there a printed
score must rise, or the loss fall by more than the unit can bring (change of variables, log |det J|). Where the level
of a constant answer is not known, inputs far beyond unit size are tested whatever the fall of the loss.

**References.** LeCun, Bottou, Orr and Müller, "Efficient BackProp" (1998), section 4.3.
"""

from __future__ import annotations

import math
from statistics import fmean, median

from ..model import Evidence, Finding, Trace
from ..traces.data import inputs, scales
from ..traces.layers import InputScale, activations, input_scale
from ..traces.measure import chance_accuracy, training_chance
from ..traces.progress import fitted
from ._evidence import loss_span
from .base import MERE, TENTATIVE, Rule, at, found, rounded

RULE = Rule(
    fault="input_not_normalized",
    severity="critical",
    sheet="data-augmentation-strategies#input-scale",
    summary="Inputs should have mean near 0 and spread near 1; measure both where the model gets them.",
    remedy="Standardise the inputs with the training set's mean and deviation per feature, in evaluation too.",
    needs=("batches", "moving_steps"),
    interventions=({"name": "standardise_inputs"},),
    contraindications=("Do not only lower the rate: it would have to suit the largest feature.",),
)

FITTED = 0.7  # share of the way to a perfect fit from which the scale needs no further sign to be asked about
WELL = 0.97  # and from which there is nothing to ask: what is left is less than the change must bring
LARGE = 10.0  # rule-of-thumb decade around unit size; raw pixels have 30-150, clinical tables 60-300
SMALL = 0.05
OFFSET = 10.0  # mean over spread
UNEVEN = 100.0  # spread of the largest over the smallest feature
# first answer over input: torch's default weights (U(-k, k), k^2 = 1/fan-in) make it 0.58 of a centred input
TAMED = 0.03
AS_LARGE = 0.5  # of the model's input, of which a sequence that is packed leaves the filling out
SOME = 0.2  # of the columns of a table that are offset
WEIGHTED = ("Linear", "Conv", "LSTM", "GRU", "RNN")
FAR = 3.0  # this many times beyond a limit is far enough to be reported without proof


def check(trace: Trace) -> Finding | None:
    scale, share = input_scale(trace), fitted(trace)
    if scale is None or scale.std == 0:
        return None
    recurrent = _read_by_recurrence(trace, scale)
    if _scaled_inside(trace, scale) and not recurrent:
        return None
    beyond, what = max(*_signs(scale), _shifted(trace))
    fits = share is not None and share >= FITTED
    # what the first answers to such inputs cost may be far above a constant answer: then a fall from there tells little
    unsure = fits and beyond > FAR and training_chance(trace) is None and chance_accuracy(trace) is None
    if beyond < 1 or (share is not None and share >= WELL and not unsure):
        return None
    sure = 0.75 if beyond > FAR and not unsure and not recurrent else TENTATIVE
    call = next(r for r in trace.of("forward") if r["grad"])
    return found(
        RULE,
        MERE if fits and not unsure else sure,
        f"The model gets inputs with {what}.",
        Evidence(quantity="input mean and standard deviation", value=f"{rounded(scale.mean)}, {rounded(scale.std)}"),
        Evidence(quantity="spread of the largest over the smallest feature", value=rounded(scale.uneven),
                 threshold=UNEVEN),
        Evidence(quantity="fit of the training data (0 constant answer, 1 perfect)",
                 value="unknown" if share is None else rounded(share), threshold=FITTED),
        *_furthest(trace),
        loss_span(trace),
        where=at(trace.site("data"), module=call["module"]),
    )  # fmt: skip


def _shifted(trace: Trace) -> tuple[float, str]:
    """(times beyond the limit, but no more than asks for a test; description) of columns of a table whose spread is far
    below their own offset, as after a division by the largest value.
    """
    rows = inputs(trace, training=True)
    width = len(rows[0]) if rows else 0
    if not width or {tuple(r["shape"]) for r in trace.of("sample") if r["grad"]} != {(width,)}:
        return 0.0, ""
    ratios = [abs(mean) / spread for mean, spread in scales(rows) if 0 < spread < math.inf]
    far = [r for r in ratios if r > FAR * OFFSET]
    if len(far) < SOME * width:
        return 0.0, ""
    return min(
        FAR, max(far) / (FAR * OFFSET)
    ), f"{len(far)} of {width} columns that spread far less than they are offset"


def _furthest(trace: Trace) -> tuple[Evidence, ...]:
    """The column of a table that lies furthest from unit size, if the others are not alike."""
    rows = inputs(trace, training=True)
    if {tuple(r["shape"]) for r in trace.of("sample") if r["grad"]} != {(len(rows[0]) if rows else 0,)}:
        return ()
    sizes = [math.sqrt(fmean(v * v for v in column)) for column in zip(*rows, strict=True)]
    if len(sizes) < 2 or max(sizes) < UNEVEN / LARGE * median(sizes):
        return ()
    number = max(range(len(sizes)), key=lambda k: sizes[k])
    told = f"{number} (counted from 0), typical size {rounded(sizes[number])}"
    return (Evidence(quantity="column that is furthest from unit size", value=told),)


def _scaled_inside(trace: Trace, scale: InputScale) -> bool:
    """Whether the first layer that ran answers so much smaller than the model's input is that it cannot have been given
    it: the model scales its input itself.
    """
    layers = (
        r for r in activations(trace, last=1) if r["class"].startswith(WEIGHTED) and r.get("std") is not None
    )
    first = next(layers, None)
    return first is not None and math.hypot(first["mean"], first["std"]) < TAMED * scale.size


def _read_by_recurrence(trace: Trace, scale: InputScale) -> bool:
    """Whether what has the shape, or the size, of the model's input goes into a recurrent layer, whose answers lie
    between -1 and 1 whatever it is given: these do not tell whether it was scaled before.
    """
    given = {tuple(t["shape"][1:]) for r in trace.of("forward") if r["grad"] for t in r["in"][:1]}
    shaped = any(tuple(r["shape"][1:]) in given for r in trace.of("rnn") if len(r["shape"]) == 3)
    return shaped or any((r.get("size") or 0.0) > AS_LARGE * scale.size for r in trace.of("rnn"))


def _signs(scale: InputScale) -> list[tuple[float, str]]:
    """(how many times beyond its limit, description) of each possible complaint."""
    size = scale.size
    return [
        (size / LARGE, f"a typical size of {rounded(size)}"),
        (SMALL / size if size > 0 else 0.0, f"a typical size of only {rounded(size)}"),
        (abs(scale.mean) / scale.std / OFFSET, f"a spread far below their offset of {rounded(scale.mean)}"),
        (scale.uneven / UNEVEN, f"features whose spreads differ {rounded(scale.uneven)} times"),
    ]
