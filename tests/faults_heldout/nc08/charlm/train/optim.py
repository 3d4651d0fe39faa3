import torch


def build_optimizer(model, cfg):
    params = [p for p in model.parameters() if p.requires_grad]
    groups = [
        {"params": [p for p in params if p.ndim > 1], "weight_decay": cfg["weight_decay"]},
        {"params": [p for p in params if p.ndim == 1], "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, lr=cfg["peak_lr"], betas=tuple(cfg["betas"]))


def build_schedule(optimizer, cfg, steps):
    return torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=cfg["peak_lr"], total_steps=steps,
                                               pct_start=0.15, cycle_momentum=False)
