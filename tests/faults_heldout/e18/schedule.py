import math

from torch.optim.lr_scheduler import LambdaLR


def warmup_cosine(opt, warmup, total, floor=0.02):
    def factor(step):
        if step < warmup:
            return (step + 1) / warmup
        p = min(1.0, (step - warmup) / max(1, total - warmup))
        return floor + (1 - floor) * 0.5 * (1 + math.cos(math.pi * p))
    return LambdaLR(opt, factor)
