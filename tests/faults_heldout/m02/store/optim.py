import torch


def param_groups(model, weight_decay):
    """Decay matrices only; biases, norms and embedding tables go without decay."""
    decay, no_decay = [], []
    for name, p in model.named_parameters():
        if not p.requires_grad:
            continue
        if p.ndim < 2:
            no_decay.append(p)
        elif "emb" not in name:
            decay.append(p)
    return [
        {"params": decay, "weight_decay": weight_decay},
        {"params": no_decay, "weight_decay": 0.0},
    ]


def build_optimizer(model, lr, weight_decay):
    return torch.optim.AdamW(param_groups(model, weight_decay), lr=lr, betas=(0.9, 0.98))
