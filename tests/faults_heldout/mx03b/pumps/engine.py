import torch
import torch.nn.functional as F


def run_epoch(net, loader, optimizer, schedule):
    net.train()
    n, total, hits = 0, 0.0, 0
    for x, y in loader:
        optimizer.zero_grad()
        logits = net(x)
        loss = F.cross_entropy(logits, y)
        loss.backward()
        optimizer.step()
        schedule.step()
        n += len(y)
        total += loss.item() * len(y)
        hits += (logits.argmax(1) == y).sum().item()
    return total / n, hits / n


@torch.no_grad()
def evaluate(net, loader):
    net.eval()
    n, total, hits, found, positives = 0, 0.0, 0, 0, 0
    for x, y in loader:
        logits = net(x)
        guess = logits.argmax(1)
        n += len(y)
        total += F.cross_entropy(logits, y, reduction="sum").item()
        hits += (guess == y).sum().item()
        found += ((guess == 1) & (y == 1)).sum().item()
        positives += (y == 1).sum().item()
    return {
        "n": n,
        "loss": total / n,
        "acc": hits / n,
        "recall": found / max(positives, 1),
    }
