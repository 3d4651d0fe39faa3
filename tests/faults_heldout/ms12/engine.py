import torch
import torch.nn.functional as F


def train_epoch(model, loader, optimizer, scheduler, accum_steps):
    model.train()
    total, seen = 0.0, 0
    optimizer.zero_grad()
    for i, (x, y) in enumerate(loader):
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        if (i + 1) % accum_steps == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
            scheduler.step()
        total += loss.item() * len(y)
        seen += len(y)
    return total / seen


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    total, good, seen = 0.0, 0, 0
    for x, y in loader:
        logits = model(x)
        total += F.cross_entropy(logits, y, reduction="sum").item()
        good += (logits.argmax(1) == y).sum().item()
        seen += len(y)
    return total / seen, good / seen
