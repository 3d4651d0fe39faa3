import logging

import torch
import torch.nn.functional as F

log = logging.getLogger("digitnet")


class Trainer:
    def __init__(self, model, cfg):
        self.model = model
        self.epochs = cfg["epochs"]
        o = cfg["optimizer"]
        self.optimizer = torch.optim.SGD(
            model.parameters(), lr=o["lr"], momentum=o["momentum"], weight_decay=o["weight_decay"]
        )
        s = cfg["scheduler"]
        self.scheduler = torch.optim.lr_scheduler.StepLR(self.optimizer, s["step_size"], gamma=s["gamma"])
        self.interval = s["interval"]

    def train_epoch(self, loader):
        self.model.train()
        running, seen = 0.0, 0
        for x, y in loader:
            loss = F.cross_entropy(self.model(x), y)
            self.optimizer.zero_grad(set_to_none=True)
            loss.backward()
            self.optimizer.step()
            if self.interval == "step":
                self.scheduler.step()
            running += loss.item() * len(y)
            seen += len(y)
        if self.interval == "epoch":
            self.scheduler.step()
        return running / seen

    @torch.no_grad()
    def evaluate(self, loader):
        self.model.eval()
        loss, correct, seen = 0.0, 0, 0
        for x, y in loader:
            logits = self.model(x)
            loss += F.cross_entropy(logits, y, reduction="sum").item()
            correct += (logits.argmax(1) == y).sum().item()
            seen += len(y)
        return loss / seen, correct / seen

    def fit(self, train_loader, val_loader):
        for epoch in range(1, self.epochs + 1):
            train_loss = self.train_epoch(train_loader)
            val_loss, val_acc = self.evaluate(val_loader)
            log.info("epoch %02d train_loss=%.4f val_loss=%.4f val_acc=%.4f", epoch, train_loss, val_loss, val_acc)
        return val_acc
