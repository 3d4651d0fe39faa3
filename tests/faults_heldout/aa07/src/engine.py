import torch
import torch.nn.functional as F


def train_epoch(model, loader, opt):
    model.train()
    total = n = 0
    for ids, lengths, y in loader:
        loss = F.cross_entropy(model(ids, lengths), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item() * len(y)
        n += len(y)
    return total / n


@torch.no_grad()
def test_epoch(model, loader):
    model.eval()
    total = hits = n = 0
    for ids, lengths, y in loader:
        out = model(ids, lengths)
        total += F.cross_entropy(out, y, reduction="sum").item()
        hits += (out.argmax(-1) == y).sum().item()
        n += len(y)
    return total / n, hits / n
