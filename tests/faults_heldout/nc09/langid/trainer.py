import torch
import torch.nn.functional as F

from .builders import build_optimizer


class Trainer:
    def __init__(self, model, cfg, train_set, val_set):
        self.model = model
        self.train_set, self.val_set = train_set, val_set
        self.epochs = cfg["trainer"]["epochs"]
        self.batch_size = cfg["trainer"]["batch_size"]
        self.optimizer = build_optimizer(model, cfg["optimizer"])

    def _logits(self, ids, offsets):
        return self.model(ids, offsets).float()

    def train_epoch(self):
        self.model.train()
        total = 0.0
        for idx in torch.randperm(len(self.train_set)).split(self.batch_size):
            ids, offsets, labels = self.train_set.batch(idx)
            loss = F.cross_entropy(self._logits(ids, offsets), labels)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            total += loss.item() * len(labels)
        return total / len(self.train_set)

    @torch.no_grad()
    def evaluate(self, dataset):
        self.model.eval()
        ids, offsets, labels = dataset.batch(torch.arange(len(dataset)))
        logits = self._logits(ids, offsets)
        return F.cross_entropy(logits, labels).item(), (logits.argmax(1) == labels).float().mean().item()

    def run(self):
        for epoch in range(self.epochs):
            train_loss = self.train_epoch()
            val_loss, val_acc = self.evaluate(self.val_set)
            print(f"epoch {epoch:2d}  train {train_loss:.4f}  val {val_loss:.4f}  acc {val_acc:.4f}", flush=True)
