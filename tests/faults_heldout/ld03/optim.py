import torch


def build_optimizer(model, lr, weight_decay):
    """AdamW; matrices are decayed, biases and normalisation gains are not."""
    decay, no_decay = [], []
    for name, p in model.named_parameters():
        if "norm" in name or name.endswith(".bias"):
            no_decay.append(p)
        elif name.endswith(".weight"):
            decay.append(p)
    groups = [
        {"params": decay, "weight_decay": weight_decay},
        {"params": no_decay, "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, lr=lr)
