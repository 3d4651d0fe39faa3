NO_DECAY_MODULES = ("norm", "embed")


def split_parameters(model, weight_decay):
    """Weight decay for matrices only; norms, embeddings and biases go without."""
    decay, plain = [], []
    for name, p in model.named_parameters():
        if not p.requires_grad:
            continue
        if any(part in NO_DECAY_MODULES for part in name.split(".")):
            plain.append(p)
        elif name.endswith(".bias"):
            plain.append(p)
        elif name.endswith(".weight"):
            decay.append(p)
    return [
        {"params": decay, "weight_decay": weight_decay},
        {"params": plain, "weight_decay": 0.0},
    ]
