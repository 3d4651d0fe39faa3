import torch
from torch import nn


class Trainer:
    def __init__(self, model, train_loader, val_loader, lr):
        self.model = model
        self.train_loader = train_loader
        self.val_loader = val_loader
        self.criterion = nn.CrossEntropyLoss()
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=lr, weight_decay=1e-2)

    def train_epoch(self):
        self.model.train()
        total, correct, count = 0.0, 0, 0
        for x, y in self.train_loader:
            logits = self.model(x)
            loss = self.criterion(logits, y)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            total += loss.item() * len(y)
            correct += (logits.argmax(1) == y).sum().item()
            count += len(y)
        return total / count, correct / count

    @torch.no_grad()
    def evaluate(self):
        self.model.eval()
        total, correct, count = 0.0, 0, 0
        for x, y in self.val_loader:
            logits = self.model(x)
            total += self.criterion(logits, y).item() * len(y)
            correct += (logits.argmax(1) == y).sum().item()
            count += len(y)
        return total / count, correct / count

    def fit(self, epochs):
        for epoch in range(1, epochs + 1):
            tl, ta = self.train_epoch()
            vl, va = self.evaluate()
            print(f"[{epoch:02d}/{epochs}] train loss {tl:.4f} acc {ta:.3f} | val loss {vl:.4f} acc {va:.3f}")
