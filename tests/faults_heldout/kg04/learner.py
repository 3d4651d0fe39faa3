import torch
from torch import nn

from metrics import Accuracy, Mean


class Learner:
    def __init__(self, model, optimizer, scheduler=None):
        self.model = model
        self.optimizer = optimizer
        self.scheduler = scheduler
        self.loss_fn = nn.CrossEntropyLoss()
        self.train_loss, self.train_acc = Mean(), Accuracy()
        self.val_loss, self.val_acc = Mean(), Accuracy()
        self.history = []

    def train_epoch(self, loader):
        self.model.train()
        self.train_loss.reset()
        self.train_acc.reset()
        for x, y in loader:
            logits = self.model(x)
            loss = self.loss_fn(logits, y)
            self.optimizer.zero_grad(set_to_none=True)
            loss.backward()
            self.optimizer.step()
            self.train_loss.update(loss.item(), len(y))
            self.train_acc.update(logits.detach(), y)
        if self.scheduler is not None:
            self.scheduler.step()

    @torch.no_grad()
    def validate(self, loader):
        self.model.eval()
        self.val_loss.reset()
        for x, y in loader:
            logits = self.model(x)
            self.val_loss.update(self.loss_fn(logits, y), len(y))
            self.val_acc.update(logits, y)

    def fit(self, train_loader, val_loader, epochs):
        for epoch in range(1, epochs + 1):
            self.train_epoch(train_loader)
            self.validate(val_loader)
            row = {
                "epoch": epoch,
                "train_loss": self.train_loss.compute(),
                "train_acc": self.train_acc.compute(),
                "val_loss": self.val_loss.compute(),
                "val_acc": self.val_acc.compute(),
            }
            self.history.append(row)
            print("  ".join(f"{k} {v:.4f}" if k != "epoch" else f"epoch {v:>2}" for k, v in row.items()))
        return self.history
