"""Evaluation inputs that become like training inputs when something is put in another order: columns of a table, colour
channels, the orientation of images, the numbers of tokens, light and dark. Pure functions over recorded inputs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise, permutations
from statistics import correlation, fmean, median, pstdev

from ..model import Trace
from .data import FEW, Key, Point, Sampled, agreement, apart, inputs, neighbourhood, scales

# standard errors between a column and itself on the other side, and between it and the one that it was exchanged with
UNLIKE, ALIKE = 8.0, 4.0
UNMIXED, MIXED = 0.15, 0.1  # two-sample statistic before and after (0 mixed, 1 apart)
OPPOSITE = 0.5  # the same for inverted values, which lie far from each other: random turns alone leave 0.15
RELATED = 0.3  # lift of evaluation's own neighbours below which labels say nothing about inputs
AGREE, ASTRAY = (
    0.8,
    0.5,
)  # lift of training's labels in the other order relative to that, and as they are to this
POOLED = 6  # rows and columns that the recorder pools large images to
BINS, STEP = (
    128,
    2654435761 % 128,
)  # tokens are counted in so many bins; the next token's bin is STEP further on
SHIFTS = tuple(
    s for n in range(1, 6) for s in (n, -n)
)  # special tokens that one of two vocabularies has more
NOISY = 1.1  # distance of two samples of one stream over that of the halves of one, which is sqrt(2) times as noisy
COMMON, COMMONEST = (
    8,
    0.25,
)  # bins of the commonest tokens, and the share that they must hold for this to say anything
SCATTERED = 0.4  # of that share, in evaluation; 8 of 128 bins hold 0.06 by chance
COLOURS, LAST_FIRST = 3, (2, 1, 0)
# deviations between the colours of two sides, and what is left of them in the other order
OTHER_COLOURS, NEARER = 0.25, 0.5
MOVED = 0.8  # correlation of successive inputs; independent batches of FEW samples have 0 +- 0.16
Moments = tuple[float, float]
Image = list[list[list[float]]]  # channels of rows


@dataclass(frozen=True)
class Exchange:
    """What was exchanged, and a measure of both sides before and after it is put right: how far they lie apart, or how
    well the labels of near training inputs foretell those of evaluation.
    """

    what: str
    before: float
    after: float
    order: tuple[int, ...] = ()  # per column or channel of evaluation the one of training that it holds
    measure: str = "distance of the two sides (0 mixed, 1 apart)"
    shift: int = 0  # what evaluation's tokens are numbered higher
    around: float | None = None  # twice the middle at which values of evaluation are mirrored
    sure: bool = True  # False where only its failure tells such an evaluation from one on other data


def exchange(trace: Trace) -> Exchange | None:
    """None where nothing was exchanged, or where nothing can be said: other inputs, too few, sides of another shape."""
    return _exchange(Key(trace))


@lru_cache(maxsize=2)
def _exchange(key: Key) -> Exchange | None:
    trace = key.trace
    train, held = inputs(trace, training=True), inputs(trace, training=False)
    if min(len(train), len(held)) < FEW or len(train[0]) != len(held[0]):
        return None
    if all(r.get("int") for r in trace.of("sample")):  # rows of tokens are of many lengths
        return _numbers(train, held) if len(train[0]) == BINS else None
    shapes = {tuple(r["shape"]) for r in trace.of("sample") if r.get("shape")}
    if len(shapes) != 1:
        return None
    (shape,) = shapes
    if len(shape) == 1 and shape[0] == len(train[0]):
        return _columns(train, held)
    inverted = _inverted(train, held) if len(shape) > 1 else None
    if len(shape) != 3:
        return inverted
    return inverted or _images(train, held, shape) or _labelled_images(trace, shape)


def _inverted(train: tuple[Point, ...], held: tuple[Point, ...]) -> Exchange | None:
    """Light for dark, up for down: every value of an image or of a signal mirrored at one middle."""
    before = apart(train, held)
    if before < OPPOSITE:
        return None
    around = sum(fmean(v for point in side for v in point) for side in (train, held))
    after = apart(train, tuple(tuple(around - v for v in point) for point in held))
    return Exchange("their values are inverted", before, after, around=around) if after < MIXED else None


def _columns(train: tuple[Point, ...], held: tuple[Point, ...]) -> Exchange | None:
    (known, asked), sizes = map(_moments, (train, held)), (len(train), len(held))
    wrong = [k for k in range(len(known)) if _distance(known[k], asked[k], sizes) > UNLIKE]
    found = {k: min(wrong, key=lambda j: _distance(known[j], asked[k], sizes)) for k in wrong}
    alike = all(_distance(known[j], asked[k], sizes) < ALIKE for k, j in found.items())
    if not wrong or not alike or len(set(found.values())) < len(wrong):
        return None
    order = tuple(found.get(k, k) for k in range(len(known)))
    right = [p for _, p in sorted(zip(order, zip(*held, strict=True), strict=True))]
    what = f"columns {', '.join(map(str, wrong[:6]))} (counted from 0) are exchanged"
    return Exchange(what, apart(train, held), apart(train, tuple(zip(*right, strict=True))), order)


def _numbers(train: tuple[Point, ...], held: tuple[Point, ...]) -> Exchange | None:
    """Tokens that are numbered higher or lower than in training, as with one special symbol more or less: how often the
    tokens occur is the same again when they are numbered back, and no sooner. The first bin, padding, is left out.
    """
    known, asked = _occurrence(train), _occurrence(held)
    noise = NOISY * _unlike(_occurrence(train[::2]), _occurrence(train[1::2]))
    before, shift = _unlike(known, asked), min(SHIFTS, key=lambda s: _unlike(known, _renumbered(asked, s)))
    after = _unlike(known, _renumbered(asked, shift))
    measure, apart_anyhow = (
        "difference in how often tokens occur (total variation)",
        _unlike(sorted(known), sorted(asked)),
    )
    if apart_anyhow > noise or before < max(UNMIXED, noise, 2 * min(after, apart_anyhow)):
        return None
    if after > min(noise, before / 2):
        what = "tokens are numbered in another way than in training"
        moved = Exchange(what, before, apart_anyhow, measure=measure, sure=False)
        return moved if _scattered(known, asked) else None
    return Exchange(f"tokens are numbered {abs(shift)} {'higher' if shift > 0 else 'lower'} than in training",
                    before, after, measure=measure, shift=shift)  # fmt: skip


def _scattered(known: list[float], asked: list[float]) -> bool:
    """Whether the commonest tokens of training are rare: another subject has the same, another numbering has not."""
    common = sorted(range(BINS), key=lambda k: -known[k])[:COMMON]
    before, now = (sum(shares[k] for k in common) for shares in (known, asked))
    return before > COMMONEST and now < SCATTERED * before


def _occurrence(points: tuple[Point, ...]) -> list[float]:
    """Share of each bin but the first among all tokens."""
    counts = [0.0, *(sum(column) for column in list(zip(*points, strict=True))[1:])]
    return [c / max(1.0, sum(counts)) for c in counts]


def _renumbered(shares: list[float], shift: int) -> list[float]:
    moved = [0.0] * BINS
    for k, share in enumerate(shares):
        moved[(k - STEP * shift) % BINS] += share
    return moved


def _unlike(some: list[float], others: list[float]) -> float:
    """Total variation distance of two distributions: 0 for the same, 1 for no common value."""
    return sum(abs(a - b) for a, b in zip(some, others, strict=True)) / 2


def _moments(points: tuple[Point, ...]) -> list[Moments]:
    return [_moment(list(column)) for column in zip(*points, strict=True)]


def _distance(a: Moments, b: Moments, sizes: tuple[int, int]) -> float:
    """Standard errors between two means or two (logarithms of) deviations, whichever is more."""
    error = math.sqrt(a[1] ** 2 / sizes[0] + b[1] ** 2 / sizes[1])
    if not a[1] or not b[1]:
        return 0.0 if a == b else math.inf
    spread = abs(math.log(a[1] / b[1])) / math.sqrt(0.5 / sizes[0] + 0.5 / sizes[1])
    return max(abs(a[0] - b[0]) / error, spread)


def _images(train: tuple[Point, ...], held: tuple[Point, ...], shape: tuple[int, ...]) -> Exchange | None:
    before, kept = apart(train, held), _kept(shape, len(train[0]))
    if before < UNMIXED or kept is None:
        return None
    channels, height, width = kept
    images = [_image(p, channels, height, width) for p in held]
    tried = (
        Exchange(what, before, apart(train, tuple(_flat(turn(image)) for image in images)), order)
        for what, turn, order in _turns(channels, square=height == width)
    )
    best = min(tried, key=lambda e: e.after, default=None)
    return best if best is not None and best.after < min(MIXED, before - UNMIXED) else None


def _labelled_images(trace: Trace, shape: tuple[int, ...]) -> Exchange | None:
    """The same by labels: of classes with colours of their own, inputs in another order lie among those of others."""
    near = neighbourhood(trace)
    own, across = near.within_evaluation, near.across
    if own is None or across is None or not (near.train.classes and near.evaluation.classes):
        return None
    kept = _kept(shape, len(near.train.x[0]))
    if kept is None or own.lift < RELATED or across.lift > ASTRAY * own.lift:
        return None
    scale, images = scales(near.train.x), [_image(p, *kept) for p in near.evaluation.x]
    tried = []
    for what, turn, order in _turns(kept[0], square=kept[1] == kept[2]):
        asked = Sampled(tuple(_flat(turn(image)) for image in images), near.evaluation.y)
        after = agreement(asked, near.train, scale).lift
        tried.append(Exchange(what, across.lift, after, order, "lift of the labels of near training inputs"))
    best = max(tried, key=lambda e: e.after)
    return best if best.after > AGREE * own.lift and best.before < ASTRAY * best.after else None


def other_colours(trace: Trace) -> Exchange | None:
    """Images whose colours as a whole are others than in training (of another place or time), in the order in which
    they are more like those of training or, where normalising hides that, from last to first, which is what libraries
    differ in: worth a try, no more.
    """
    train, held = inputs(trace, training=True), inputs(trace, training=False)
    shapes = {tuple(r["shape"]) for r in trace.of("sample") if r.get("shape")}
    shape = shapes.pop() if len(shapes) == 1 else ()
    if min(len(train), len(held)) < FEW or len(train[0]) != len(held[0]) or len(shape) != 3:
        return None
    kept = _kept(shape, len(train[0]))
    if kept is None or kept[0] != COLOURS:
        return None
    known, asked = _channel_moments(train), _channel_moments(held)
    spread = fmean(s for _, s in known)

    def unlike(order: tuple[int, ...]) -> float:
        gaps = ((known[j], asked[k]) for k, j in enumerate(order))
        return sum(math.dist(a, b) for a, b in gaps) / (COLOURS * spread) if spread else 0.0

    before, best = unlike(tuple(range(COLOURS))), min(permutations(range(COLOURS)), key=unlike)
    if before < OTHER_COLOURS:
        return None
    best = best if unlike(best) < NEARER * before else LAST_FIRST
    what = f"colour channels are in the order {best}"
    measure = "difference of the colours of the two sides, in standard deviations"
    return Exchange(what, before, unlike(best), best, measure, sure=False)


def _channel_moments(points: tuple[Point, ...]) -> list[Moments]:
    size = len(points[0]) // COLOURS
    return [_moment([v for p in points for v in p[c * size : (c + 1) * size]]) for c in range(COLOURS)]


def _moment(values: list[float]) -> Moments:
    return fmean(values), pstdev(values)


def _kept(shape: tuple[int, ...], values: int) -> tuple[int, int, int] | None:
    """Channels, rows and columns of what the recorder kept of an image: all, or a few pooled ones."""
    channels, height, width = shape
    if values == channels * POOLED**2:
        return channels, POOLED, POOLED
    return (channels, height, width) if values == channels * height * width else None


Turn = Callable[[Image], Image]


def _turns(channels: int, *, square: bool) -> Iterator[tuple[str, Turn, tuple[int, ...]]]:
    """What may have been done to images, in words, and what puts it right."""
    for order in permutations(range(channels)) if channels == 3 else ():
        if order != (0, 1, 2):
            back = [order.index(k) for k in range(3)]
            yield f"colour channels are in the order {order}", _channels_back(back), order
    yield "images are upside down", lambda i: [c[::-1] for c in i], ()
    yield "images are mirrored", lambda i: [[r[::-1] for r in c] for c in i], ()
    yield "images are turned by 180 degrees", lambda i: [[r[::-1] for r in c[::-1]] for c in i], ()
    if square:
        yield "rows and columns of images are exchanged", _transposed, ()
        yield "images are turned to the left", lambda i: [[r[::-1] for r in c] for c in _transposed(i)], ()
        yield "images are turned to the right", lambda i: [c[::-1] for c in _transposed(i)], ()


def _transposed(image: Image) -> Image:
    return [[list(row) for row in zip(*channel, strict=True)] for channel in image]


def _channels_back(back: list[int]) -> Turn:
    return lambda image: [image[k] for k in back]


def _image(point: Point, channels: int, height: int, width: int) -> Image:
    rows = [list(point[k : k + width]) for k in range(0, len(point), width)]
    return [rows[c * height : (c + 1) * height] for c in range(channels)]


def _flat(image: Image) -> Point:
    return tuple(v for channel in image for row in channel for v in row)


def feeds_itself(trace: Trace) -> bool:
    """Whether the model walks on from its own answers with gradients off (the sampling of a diffusion, a rollout): each
    input is the one before, moved a little. Batches of held-out data have nothing to do with each other.
    """
    rows = [r for r in trace.of("sample") if not r["grad"] and r["loader"] is None and not r.get("int")]
    calls = [(a["x"], b["x"]) for a, b in pairwise(rows) if a["i"] == b["i"] and _alike(a["x"], b["x"])]
    return bool(calls) and min(_correlation(a, b) for a, b in calls) > MOVED


def _alike(some: list[list[float]], others: list[list[float]]) -> bool:
    return len(some) == len(others) >= FEW and len(some[0]) == len(others[0])


def _correlation(some: list[list[float]], others: list[list[float]]) -> float:
    """Median over features of the correlation of the n-th samples of two batches; 0 without a feature that varies."""
    pairs = zip(zip(*some, strict=True), zip(*others, strict=True), strict=True)
    found = [correlation(a, b) for a, b in pairs if len(set(a)) > 1 < len(set(b))]
    return median(found) if found else 0.0
