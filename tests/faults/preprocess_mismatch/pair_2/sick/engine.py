import torch
import torch.nn.functional as F


def train_one_epoch(model, loader, optimizer, scheduler, cfg):
    model.train()
    accumulate = cfg.get("accumulate", 1)
    total, seen = 0.0, 0
    optimizer.zero_grad()
    for i, (images, labels) in enumerate(loader):
        loss = F.cross_entropy(model(images), labels, label_smoothing=cfg.get("label_smoothing", 0.0))
        (loss / accumulate).backward()
        if (i + 1) % accumulate == 0:
            if cfg.get("clip"):
                torch.nn.utils.clip_grad_norm_(model.parameters(), cfg["clip"])
            optimizer.step()
            optimizer.zero_grad()
            scheduler.step()
        total += loss.item() * len(labels)
        seen += len(labels)
    return total / seen


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    total, correct, seen = 0.0, 0, 0
    for images, labels in loader:
        logits = model(images)
        total += F.cross_entropy(logits, labels, reduction="sum").item()
        correct += (logits.argmax(1) == labels).sum().item()
        seen += len(labels)
    return total / seen, correct / seen
