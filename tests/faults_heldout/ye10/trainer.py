import torch
import torch.nn.functional as F


class Trainer:
    def __init__(self, model, optimizer, scheduler, hooks=()):
        self.model, self.optimizer, self.scheduler, self.hooks = model, optimizer, scheduler, hooks
        self.history = []

    def train_epoch(self, loader):
        self.model.train()
        total = count = 0
        for x, y in loader:
            loss = F.cross_entropy(self.model(x), y)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            total += loss.item() * len(y)
            count += len(y)
        self.scheduler.step()
        return total / count

    @torch.no_grad()
    def evaluate(self, loader, classes):
        self.model.eval()
        confusion = torch.zeros(classes, classes)
        total = 0.0
        for x, y in loader:
            out = self.model(x)
            total += F.cross_entropy(out, y, reduction="sum").item()
            confusion += torch.bincount(y * classes + out.argmax(1), minlength=classes**2).view(classes, classes)
        recall = confusion.diag() / confusion.sum(1).clamp(min=1)
        return {
            "val_loss": total / confusion.sum().item(),
            "acc": (confusion.diag().sum() / confusion.sum()).item(),
            "macro_recall": recall.mean().item(),
        }

    def fit(self, train_loader, val_loader, epochs, classes):
        for epoch in range(epochs):
            record = {"epoch": epoch, "train_loss": self.train_epoch(train_loader)}
            record.update(self.evaluate(val_loader, classes))
            self.history.append(record)
            for hook in self.hooks:
                hook(record)
        return self.history
