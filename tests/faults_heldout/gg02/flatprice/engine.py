import torch
from torch.nn import functional as F


def train_epoch(model, loader, optimizer):
    model.train()
    total, seen = 0.0, 0
    for cat, num, y in loader:
        optimizer.zero_grad()
        loss = F.smooth_l1_loss(model(cat, num), y, beta=0.5)
        loss.backward()
        optimizer.step()
        total += loss.item() * len(y)
        seen += len(y)
    return total / seen


@torch.no_grad()
def predict(model, dataset):
    model.eval()
    cat, num, y = dataset.tensors
    return model(cat, num), y


def report(pred, y, prepared):
    eur_p, eur_y = prepared.to_eur(pred), prepared.to_eur(y)
    r2 = 1 - ((pred - y) ** 2).sum() / ((y - y.mean()) ** 2).sum()
    return {
        "loss": F.smooth_l1_loss(pred, y, beta=0.5).item(),
        "r2_log": r2.item(),
        "mape": ((eur_p - eur_y).abs() / eur_y).mean().item(),
    }
