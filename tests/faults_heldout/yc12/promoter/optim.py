import torch


def layerwise_adamw(model, lr, decay, weight_decay=0.01):
    """Smaller steps for the layers nearer to the input."""
    enc = model.encoder
    stages = [list(enc.embed.parameters()) + list(enc.stem.parameters())]
    stages += [list(layer.parameters()) for layer in enc.layers]
    groups = [{"params": model.head.parameters(), "lr": 4 * lr}]
    for depth, params in enumerate(reversed(stages)):
        groups.append({"params": params, "lr": lr * decay ** depth})
    return torch.optim.AdamW(groups, weight_decay=weight_decay)
