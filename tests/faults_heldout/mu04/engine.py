import torch
import torch.nn.functional as F


def fit_epoch(model, x, y, optimizer, batch_size):
    model.train()
    total = correct = 0
    for idx in torch.randperm(len(x)).split(batch_size):
        logits = model(x[idx])
        loss = F.cross_entropy(logits, y[idx])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item() * len(idx)
        correct += (logits.argmax(1) == y[idx]).sum().item()
    return total / len(x), correct / len(x)


def inspect_fleet(model, fleet):
    """Recording-level accuracy and loss over all machines of the fleet."""
    hits = count = 0
    loss = 0.0
    with torch.no_grad():
        for x, kind in fleet:
            logits = model(x)
            target = torch.full((len(x),), kind)
            loss += F.cross_entropy(logits, target, reduction="sum").item()
            hits += (logits.argmax(1) == target).sum().item()
            count += len(x)
    return loss / count, hits / count
