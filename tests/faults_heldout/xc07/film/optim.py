import torch


def build_optimizer(model, lr, weight_decay):
    """Backbone with decay, head without and at twice the rate."""
    backbone, head = [], []
    for name, p in model.named_parameters():
        if name.startswith(("stem.", "trunk.")):
            backbone.append(p)
        elif name.startswith("head."):
            head.append(p)
    return torch.optim.AdamW(
        [
            {"params": backbone, "lr": lr, "weight_decay": weight_decay},
            {"params": head, "lr": 2 * lr, "weight_decay": 0.0},
        ]
    )
