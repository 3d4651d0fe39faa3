import torch
import torch.nn.functional as F


class Engine:
    def __init__(self, model, optimizer, scheduler=None, log=print):
        self.model = model
        self.optimizer = optimizer
        self.scheduler = scheduler
        self.log = log
        self.history = []

    def train_step(self, x, y):
        self.optimizer.zero_grad(set_to_none=True)
        logits = self.model(x)
        loss = F.cross_entropy(logits, y)
        loss.backward()
        self.optimizer.step()
        if self.scheduler is not None:
            self.scheduler.step()
        return loss.item(), (logits.argmax(1) == y).float().mean().item()

    @torch.no_grad()
    def evaluate(self, loader):
        self.model.eval()
        loss = correct = n = 0
        for x, y in loader:
            out = self.model(x)
            loss += F.cross_entropy(out, y, reduction="sum").item()
            correct += (out.argmax(1) == y).sum().item()
            n += len(y)
        return loss / n, correct / n

    def run(self, train_loader, val_loader, epochs):
        for epoch in range(1, epochs + 1):
            self.model.train()
            stats = [self.train_step(x, y) for x, y in train_loader]
            tl = sum(s[0] for s in stats) / len(stats)
            ta = sum(s[1] for s in stats) / len(stats)
            vl, va = self.evaluate(val_loader)
            self.history.append((tl, vl, va))
            self.log(f"epoch {epoch:02d} | train {tl:.4f} acc {ta:.3f} | val {vl:.4f} acc {va:.3f}")
        return self.history
