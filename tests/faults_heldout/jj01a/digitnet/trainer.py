import time

import torch
import torch.nn.functional as F


class Trainer:
    def __init__(self, model, cfg):
        self.model = model
        opt = cfg["optim"]
        self.optimizer = torch.optim.SGD(model.parameters(), lr=opt["lr"], momentum=opt["momentum"],
                                         weight_decay=opt["weight_decay"], nesterov=True)
        sch = cfg["scheduler"]
        self.interval = sch["interval"]
        if sch["name"] == "step":
            self.scheduler = torch.optim.lr_scheduler.StepLR(self.optimizer, sch["step_size"], sch["gamma"])
        elif sch["name"] == "exp":
            self.scheduler = torch.optim.lr_scheduler.ExponentialLR(self.optimizer, sch["gamma"])
        else:
            raise ValueError(f"scheduler {sch['name']}")
        self.history = []

    def train_epoch(self, loader):
        self.model.train()
        total, n = 0.0, 0
        for x, y in loader:
            self.optimizer.zero_grad(set_to_none=True)
            loss = F.cross_entropy(self.model(x), y)
            loss.backward()
            self.optimizer.step()
            if self.interval == "step":
                self.scheduler.step()
            total += loss.item() * len(y)
            n += len(y)
        if self.interval == "epoch":
            self.scheduler.step()
        return total / n

    @torch.no_grad()
    def evaluate(self, loader):
        self.model.eval()
        loss, hit, n = 0.0, 0, 0
        for x, y in loader:
            out = self.model(x)
            loss += F.cross_entropy(out, y, reduction="sum").item()
            hit += (out.argmax(1) == y).sum().item()
            n += len(y)
        return loss / n, hit / n

    def fit(self, train_loader, val_loader, epochs):
        for epoch in range(1, epochs + 1):
            t0 = time.time()
            tr = self.train_epoch(train_loader)
            va, acc = self.evaluate(val_loader)
            self.history.append({"epoch": epoch, "train_loss": tr, "val_loss": va, "val_acc": acc})
            print(f"[{epoch:02d}/{epochs}] train {tr:.4f}  val {va:.4f}  acc {acc:.3f}  ({time.time() - t0:.1f}s)")
        return self.history
