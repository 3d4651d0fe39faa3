import math

import torch


def build_optimizer(model, cfg):
    groups = []
    for name, scale in cfg.get("groups", {"features": 1.0, "neck": 1.0, "head": 1.0}).items():
        params = [p for p in getattr(model, name).parameters() if p.requires_grad]
        if params:
            groups.append({"params": params, "lr": cfg["lr"] * scale})
    if cfg["name"] == "sgd":
        return torch.optim.SGD(groups, lr=cfg["lr"], momentum=cfg["momentum"], weight_decay=cfg["weight_decay"])
    return torch.optim.AdamW(
        groups, lr=cfg["lr"], betas=tuple(cfg.get("betas", (0.9, 0.999))), eps=cfg.get("eps", 1e-8),
        weight_decay=cfg["weight_decay"],
    )


def build_scheduler(optimizer, cfg, total_steps):
    kind = cfg.get("schedule", "constant")
    if kind == "cosine":
        horizon = cfg.get("horizon", total_steps)
        return torch.optim.lr_scheduler.LambdaLR(
            optimizer, lambda s: 0.5 * (1 + math.cos(math.pi * min(1.0, s / horizon)))
        )
    if kind == "step":
        return torch.optim.lr_scheduler.StepLR(optimizer, step_size=cfg["step_size"], gamma=cfg["gamma"])
    if kind == "warmup":
        return torch.optim.lr_scheduler.LambdaLR(optimizer, lambda s: min(1.0, (s + 1) / cfg["warmup_steps"]))
    return torch.optim.lr_scheduler.LambdaLR(optimizer, lambda s: 1.0)
