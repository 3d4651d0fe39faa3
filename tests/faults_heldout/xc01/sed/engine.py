import torch
from torch import nn


class Engine:
    def __init__(self, model, optimizer, accumulate):
        self.model = model
        self.optimizer = optimizer
        self.accumulate = accumulate
        self.criterion = nn.CrossEntropyLoss()

    def train_epoch(self, loader):
        self.model.train()
        self.optimizer.zero_grad()
        running = 0.0
        for step, (x, y) in enumerate(loader):
            loss = self.criterion(self.model(x), y)
            (loss / self.accumulate).backward()
            running += loss.item()
            if (step + 1) % self.accumulate == 0:
                self.optimizer.step()
                self.optimizer.zero_grad()
        return running / len(loader)

    @torch.no_grad()
    def evaluate(self, loader):
        self.model.eval()
        loss = correct = n = 0
        for x, y in loader:
            out = self.model(x)
            loss += self.criterion(out, y).item() * len(y)
            correct += (out.argmax(1) == y).sum().item()
            n += len(y)
        return loss / n, correct / n
