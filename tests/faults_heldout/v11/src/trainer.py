import torch
from torch import nn


class Trainer:
    def __init__(self, model, train_loader, val_loader, cfg):
        self.model, self.train_loader, self.val_loader, self.cfg = model, train_loader, val_loader, cfg
        self.criterion = nn.CrossEntropyLoss()
        self.optimizer = torch.optim.SGD(model.parameters(), lr=cfg["lr"], momentum=cfg["momentum"],
                                         weight_decay=cfg["weight_decay"], nesterov=True)
        self.scheduler = torch.optim.lr_scheduler.ExponentialLR(self.optimizer, gamma=cfg["lr_gamma"])

    def train_epoch(self):
        self.model.train()
        total = 0.0
        for x, y in self.train_loader:
            self.optimizer.zero_grad()
            loss = self.criterion(self.model(x), y)
            loss.backward()
            self.optimizer.step()
            self.scheduler.step()
            total += loss.item() * len(y)
        return total / len(self.train_loader.dataset)

    @torch.no_grad()
    def validate(self):
        self.model.eval()
        hits = sum((self.model(x).argmax(1) == y).sum().item() for x, y in self.val_loader)
        return hits / len(self.val_loader.dataset)

    def fit(self):
        for epoch in range(self.cfg["epochs"]):
            loss = self.train_epoch()
            acc = self.validate()
            print(f"epoch {epoch:2d} loss {loss:.4f} val_acc {acc:.4f}")
