import math

from torch.optim.lr_scheduler import LambdaLR


def warmup_cosine(optimizer, peak, floor, warmup, total):
    """Linear ramp to `peak` over `warmup` updates, then a half cosine down to `floor`."""

    def at(step):
        if step < warmup:
            return peak * (step + 1) / warmup
        t = min(1.0, (step - warmup) / max(1, total - warmup))
        return floor + 0.5 * (peak - floor) * (1 + math.cos(math.pi * t))

    return LambdaLR(optimizer, at)
