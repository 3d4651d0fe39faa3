import torch


def restore(model, path):
    """Bring back a saved stage: weights (a head of another size is left alone) and which tensors train."""
    saved = torch.load(path, weights_only=True)
    own = model.state_dict()
    keep = {k: v for k, v in saved["weights"].items() if k in own and v.shape == own[k].shape}
    model.load_state_dict(keep, strict=False)
    for name, p in model.named_parameters():
        p.requires_grad_(saved["trainable"].get(name, True))
    return len(keep)
