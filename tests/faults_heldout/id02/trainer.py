import torch
import torch.nn.functional as F


class Trainer:
    def __init__(self, model, loaders, cfg):
        self.model = model
        self.train_loader, self.val_loader = loaders
        self.cfg = cfg
        self.criterion = torch.nn.CrossEntropyLoss(label_smoothing=cfg["label_smoothing"])
        self.opt = torch.optim.AdamW(model.parameters(), lr=cfg["max_lr"] / 25, weight_decay=cfg["weight_decay"])
        self.sched = torch.optim.lr_scheduler.OneCycleLR(
            self.opt, max_lr=cfg["max_lr"], epochs=cfg["epochs"],
            steps_per_epoch=len(self.train_loader), pct_start=cfg["pct_start"])

    def train_epoch(self):
        self.model.train()
        total, n = 0.0, 0
        for x, y in self.train_loader:
            self.opt.zero_grad(set_to_none=True)
            loss = self.criterion(self.model(x), y)
            loss.backward()
            self.opt.step()
            self.sched.step()
            total += loss.item() * len(y)
            n += len(y)
        return total / n

    def validate(self):
        self.model.eval()
        nll, hit, n = 0.0, 0, 0
        with torch.no_grad():
            for x, y in self.val_loader:
                out = self.model(x)
                nll += F.cross_entropy(out, y, reduction="sum").item()
                hit += (out.argmax(1) == y).sum().item()
                n += len(y)
        return nll / n, hit / n

    def fit(self):
        for epoch in range(1, self.cfg["epochs"] + 1):
            tl = self.train_epoch()
            nll, acc = self.validate()
            print(f"[{epoch:02d}] smoothed train loss {tl:.4f} | val nll {nll:.4f} acc {acc:.4f} | lr {self.sched.get_last_lr()[0]:.5f}")
