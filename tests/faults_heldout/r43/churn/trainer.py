import torch
from sklearn.metrics import balanced_accuracy_score, f1_score


class Trainer:
    def __init__(self, model, optimizer, criterion):
        self.model, self.optimizer, self.criterion = model, optimizer, criterion

    def train(self, loader):
        self.model.train()
        total = 0.0
        for x, y in loader:
            self.optimizer.zero_grad()
            loss = self.criterion(self.model(x), y)
            loss.backward()
            self.optimizer.step()
            total += loss.item()
        return total / len(loader)

    @torch.no_grad()
    def evaluate(self, loader):
        self.model.eval()
        pairs = [(self.model(x), y) for x, y in loader]
        z, y = torch.cat([p[0] for p in pairs]), torch.cat([p[1] for p in pairs])
        pred = z.argmax(1)
        return self.criterion(z, y).item(), balanced_accuracy_score(y, pred), f1_score(y, pred)
