import torch
from torch import nn


def train_one_epoch(model, loader, optimizer):
    criterion = nn.MSELoss()
    model.train()
    total, seen = 0.0, 0
    for cat, num, target in loader:
        pred = model(cat, num)
        loss = criterion(pred, target)
        loss.backward()
        optimizer.step()
        total += loss.item() * len(target)
        seen += len(target)
    return total / seen


@torch.no_grad()
def validate(model, loader, scaler):
    model.eval()
    preds, targets = [], []
    for cat, num, target in loader:
        preds.append(model(cat, num))
        targets.append(target)
    pred, target = torch.cat(preds), torch.cat(targets)
    mse = torch.mean((pred - target) ** 2).item()
    r2 = 1 - mse / target.var(unbiased=False).item()
    mae = (scaler.inverse(pred) - scaler.inverse(target)).abs().mean().item()
    return {"mse": mse, "r2": r2, "mae_rentals": mae}
