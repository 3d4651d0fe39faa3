import torch


class Meter:
    def __init__(self):
        self.total, self.count = 0.0, 0

    def add(self, value, n):
        self.total += value * n
        self.count += n

    @property
    def mean(self):
        return self.total / max(self.count, 1)


@torch.no_grad()
def classification_report(model, loader, criterion):
    """Mean loss and accuracy over a loader."""
    model.eval()
    loss, hits = Meter(), 0
    for x, y in loader:
        logits = model(x)
        loss.add(criterion(logits, y).item(), len(y))
        hits += (logits.argmax(dim=1) == y).sum().item()
    return {"loss": loss.mean, "acc": hits / (len(loader) * loader.batch_size)}
