import torch
import torch.nn.functional as F


class Engine:
    """Runs training and evaluation epochs for a classifier."""

    def __init__(self, model, optimizer):
        self.model = model
        self.optimizer = optimizer
        self.step = 0

    def train_epoch(self, loader):
        self.model.train()
        total_loss, total = 0.0, 0
        for x, y in loader:
            self.optimizer.zero_grad(set_to_none=True)
            loss = F.cross_entropy(self.model(x), y)
            loss.backward()
            self.optimizer.step()
            self.step += 1
            total_loss += loss.item() * y.size(0)
            total += y.size(0)
        return total_loss / total

    @torch.no_grad()
    def evaluate(self, loader):
        self.model.eval()
        total_loss, hits, total = 0.0, 0, 0
        for x, y in loader:
            logits = self.model(x)
            total_loss += F.cross_entropy(logits, y, reduction="sum").item()
            hits += (logits.argmax(1) == y).sum().item()
            total += y.size(0)
        return total_loss / total, hits / total
