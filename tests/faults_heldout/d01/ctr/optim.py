import torch


def build_optimizer(model, cfg):
    """AdamW; biases and norm gains are not decayed."""
    decay, plain = [], []
    for name, p in model.named_parameters():
        if not p.requires_grad:
            continue
        if p.ndim == 1:
            plain.append(p)
        elif not name.startswith("embed."):
            decay.append(p)
    groups = [{"params": decay, "weight_decay": cfg.weight_decay},
              {"params": plain, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, lr=cfg.lr)
