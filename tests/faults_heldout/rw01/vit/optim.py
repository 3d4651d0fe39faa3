import math

import torch


def layerwise_groups(model, base_lr, decay_rate, weight_decay):
    """Later layers get the full rate, earlier ones a geometrically smaller one."""
    stages = [model.patch_embed, *model.blocks, torch.nn.ModuleList([model.norm, model.head])]
    groups = []
    for depth, stage in enumerate(reversed(stages)):
        lr = base_lr * decay_rate ** depth
        matrices = [p for p in stage.parameters() if p.ndim > 1]
        vectors = [p for p in stage.parameters() if p.ndim <= 1]
        groups.append({"params": matrices, "lr": lr, "weight_decay": weight_decay})
        groups.append({"params": vectors, "lr": lr, "weight_decay": 0.0})
    return groups


def make_optimizer(model, cfg):
    groups = layerwise_groups(model, cfg["lr"], cfg["layer_decay"], cfg["weight_decay"])
    return torch.optim.AdamW(groups, betas=(0.9, 0.98))


def make_schedule(optimizer, total, warmup):
    def scale(step):
        if step < warmup:
            return (step + 1) / warmup
        return 0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * (step - warmup) / max(1, total - warmup)))

    return torch.optim.lr_scheduler.LambdaLR(optimizer, scale)
