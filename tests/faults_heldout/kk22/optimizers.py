import torch


def parameter_groups(model, weight_decay):
    """Weight decay on matrices only: no decay for biases, scalars and embeddings."""
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


def make_optimizer(model, lr, weight_decay):
    return torch.optim.AdamW(parameter_groups(model, weight_decay), lr=lr)
