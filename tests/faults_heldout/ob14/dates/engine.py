import torch
import torch.nn.functional as F

from .vocab import PAD, SIZE, decode


def sequence_loss(logits, target):
    return F.cross_entropy(logits.reshape(-1, SIZE), target.reshape(-1), ignore_index=PAD)


def train_epoch(model, loader, optimizer, scheduler):
    model.train()
    total = 0.0
    for src, tgt in loader:
        logits = model(src, tgt[:, 1:])
        loss = sequence_loss(logits, tgt[:, 1:])
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 2.0)
        optimizer.step()
        scheduler.step()
        total += loss.item()
    return total / len(loader)


@torch.no_grad()
def exact_match(model, loader):
    model.eval()
    hits = n = 0
    sample = None
    for src, tgt in loader:
        generated = model.generate(src, tgt.size(1) - 1)
        for g, t in zip(generated.tolist(), tgt[:, 1:].tolist()):
            hits += decode(g) == decode(t)
            n += 1
            sample = sample or (decode(t), decode(g))
    return hits / n, sample
