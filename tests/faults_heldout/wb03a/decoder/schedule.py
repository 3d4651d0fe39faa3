import math

from torch.optim.lr_scheduler import LambdaLR


def ramp_cosine(optimizer, warmup_steps, total_steps, floor=0.02):
    def factor(step):
        if step < warmup_steps:
            return (step + 1) / warmup_steps
        progress = (step - warmup_steps) / max(1, total_steps - warmup_steps)
        return floor + (1 - floor) * 0.5 * (1 + math.cos(math.pi * min(1.0, progress)))

    return LambdaLR(optimizer, factor)
