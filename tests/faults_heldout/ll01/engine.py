import torch
import torch.nn.functional as F


def train_epoch(model, loader, optimizer, scheduler, smoothing):
    model.train()
    total, seen = 0.0, 0
    for x, y in loader:
        optimizer.zero_grad(set_to_none=True)
        loss = F.cross_entropy(model(x), y, label_smoothing=smoothing)
        loss.backward()
        optimizer.step()
        scheduler.step()
        total += loss.item() * len(y)
        seen += len(y)
    return total / seen


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    nll, hits, seen = 0.0, 0, 0
    for x, y in loader:
        out = model(x)
        nll += F.cross_entropy(out, y, reduction="sum").item()
        hits += (out.argmax(1) == y).sum().item()
        seen += len(y)
    return nll / seen, hits / seen
