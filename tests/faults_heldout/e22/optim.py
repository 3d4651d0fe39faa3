import torch


def make_optimizer(model, lr, weight_decay, betas=(0.9, 0.999)):
    """AdamW with weight decay on matrices and none on norms and biases."""
    decay, plain = [], []
    for mod_name, mod in model.named_modules():
        is_norm = isinstance(mod, (torch.nn.LayerNorm, torch.nn.BatchNorm1d))
        for name, p in mod.named_parameters(recurse=False):
            if not p.requires_grad:
                continue
            if name == "weight" and not is_norm:
                decay.append(p)
            elif name == "bias" or is_norm:
                plain.append(p)
    return torch.optim.AdamW([{"params": decay, "weight_decay": weight_decay},
                              {"params": plain, "weight_decay": 0.0}], lr=lr, betas=betas)
