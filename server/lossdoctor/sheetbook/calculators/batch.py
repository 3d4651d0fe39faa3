"""Batch arithmetic: effective batch, updates, gradient noise scale and the price of a larger batch."""

from __future__ import annotations

from dataclasses import dataclass

from lossdoctor.errors import BadArgument


def effective_batch(micro: int, accumulation: int = 1, data_parallel: int = 1) -> int:
    """Samples behind one optimizer step: micro-batch x accumulation steps x data-parallel ranks.

    Tensor- and pipeline-parallel ranks share the same samples and do not count.
    """
    if min(micro, accumulation, data_parallel) < 1:
        raise BadArgument("batch factors must be at least 1", hint="count data-parallel ranks only")
    return micro * accumulation * data_parallel


def updates(samples: int, batch: int, epochs: float = 1, drop_last: bool = False) -> int:
    """Optimizer steps in a run; a last, smaller batch counts unless it is dropped."""
    if batch < 1:
        raise BadArgument("batch must be at least 1", hint="use effective_batch(...)")
    per_epoch = samples // batch if drop_last else -(-samples // batch)
    return int(per_epoch * epochs)


@dataclass(frozen=True, slots=True)
class NoiseScale:
    """Estimate of B_simple. ``signal`` is |G|^2, ``noise`` tr(Sigma); ``batch`` their quotient in samples,
    None when the two measurements are too noisy to give a positive signal."""

    signal: float
    noise: float
    batch: float | None


def noise_scale(small_batch: int, small_square: float, big_batch: int, big_square: float) -> NoiseScale:
    """Gradient noise scale from mean squared gradient norms at two batch sizes.

    E|g_B|^2 = |G|^2 + tr(Sigma)/B is solved for both unknowns (McCandlish et al. 2018, "An Empirical Model
    of Large-Batch Training", appendix A.1). The squares must be averaged over many steps before they are
    passed: the quotient of two noisy estimates is biased.
    """
    if not 0 < small_batch < big_batch:
        raise BadArgument("needs two different batch sizes", hint="pass the smaller one first")
    signal = (big_batch * big_square - small_batch * small_square) / (big_batch - small_batch)
    noise = (small_square - big_square) / (1 / small_batch - 1 / big_batch)
    usable = signal > 0 and noise >= 0
    return NoiseScale(signal, noise, noise / signal if usable else None)


@dataclass(frozen=True, slots=True)
class BatchPrice:
    """Cost relative to the two limits: ``steps`` over the fewest possible, ``samples`` over the fewest."""

    steps: float
    samples: float


def batch_price(batch: float, critical_batch: float) -> BatchPrice:
    """Steps (1 + B_crit/B) and samples (1 + B/B_crit) needed to reach a given loss (McCandlish et al. 2018,
    eq. 2.11): at B = B_crit twice the minimum of both."""
    if batch <= 0 or critical_batch <= 0:
        raise BadArgument("batch sizes must be positive", hint="measure the noise scale first")
    return BatchPrice(1 + critical_batch / batch, 1 + batch / critical_batch)
