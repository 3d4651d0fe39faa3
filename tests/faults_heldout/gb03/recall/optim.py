import torch

RECURRENT = ("lstm.", "rnn.")
NO_DECAY = ("bias", "norm")


def build_optimizer(model, lr, recurrent_lr, weight_decay):
    """AdamW with a separate rate for the recurrent core and no decay on biases and norms."""
    recurrent, decay, no_decay = [], [], []
    for name, p in model.named_parameters():
        if name.startswith(RECURRENT):
            recurrent.append(p)
        elif name.startswith(("embed.", "head.", "norm.")):
            (no_decay if any(k in name for k in NO_DECAY) else decay).append(p)
    groups = [
        {"params": decay, "lr": lr, "weight_decay": weight_decay},
        {"params": no_decay, "lr": lr, "weight_decay": 0.0},
    ]
    if recurrent:
        groups.append({"params": recurrent, "lr": recurrent_lr, "weight_decay": 0.0})
    return torch.optim.AdamW(groups)
