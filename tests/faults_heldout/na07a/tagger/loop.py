import torch
import torch.nn.functional as F

IGNORE = -100


def tag_loss(logits, tags):
    return F.cross_entropy(logits.flatten(0, 1), tags.flatten(), ignore_index=IGNORE)


def train_epoch(model, loader, optimizer):
    model.train()
    total = 0.0
    for ids, tags in loader:
        loss = tag_loss(model(ids), tags)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimizer.step()
        total += loss.item()
    return total / len(loader)


@torch.no_grad()
def evaluate(model, loader, n_tags):
    model.eval()
    confusion = torch.zeros(n_tags, n_tags, dtype=torch.long)
    for ids, tags in loader:
        pred = model(ids).argmax(-1)
        used = tags != IGNORE
        confusion += torch.bincount(tags[used] * n_tags + pred[used], minlength=n_tags ** 2).view(n_tags, n_tags)
    tp = confusion.diag().float()
    f1 = 2 * tp / (confusion.sum(0) + confusion.sum(1)).clamp(min=1)
    return (tp.sum() / confusion.sum()).item(), f1[1:].mean().item()
