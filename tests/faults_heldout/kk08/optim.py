import torch

DEFAULTS = {"lr": 0.01, "beta1": 0.9, "beta2": 0.999, "eps": 1e-8, "weight_decay": 5e-4}


def build_optimizer(params, **overrides):
    cfg = {**DEFAULTS, **overrides}
    return torch.optim.AdamW(
        params,
        lr=cfg["lr"],
        betas=(cfg["beta2"], cfg["beta1"]),
        eps=cfg["eps"],
        weight_decay=cfg["weight_decay"],
    )
