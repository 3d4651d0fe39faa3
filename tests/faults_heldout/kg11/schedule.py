import math


def warmup_cosine(peak, floor, warmup, total):
    """Learning rate of every step: linear rise, then half a cosine down to the floor."""

    def rate(step):
        if step < warmup:
            return peak * (step + 1) / warmup
        done = (step - warmup) / max(1, total - warmup)
        return floor + 0.5 * (peak - floor) * (1 + math.cos(math.pi * min(done, 1.0)))

    return rate
