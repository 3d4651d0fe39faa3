import math
import re

import torch


def param_groups(model, specs):
    """One optimizer group per entry of the config; `match` is a regular expression on parameter names."""
    groups = []
    for spec in specs:
        pattern = re.compile(spec["match"])
        params = [p for name, p in model.named_parameters() if pattern.match(name)]
        groups.append({"params": params, "lr": spec["lr"], "weight_decay": spec["weight_decay"]})
    return groups


def warmup_cosine(optimizer, warmup, steps, floor):
    def factor(step):
        if step < warmup:
            return (step + 1) / warmup
        done = (step - warmup) / max(1, steps - warmup)
        return floor + (1 - floor) * 0.5 * (1 + math.cos(math.pi * min(done, 1.0)))

    return torch.optim.lr_scheduler.LambdaLR(optimizer, factor)
