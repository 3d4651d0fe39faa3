import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader


class Engine:
    def __init__(self, model, train, val, batch_size, grad_accum, epochs, lr, weight_decay):
        assert batch_size % grad_accum == 0
        self.model, self.accum, self.epochs = model, grad_accum, epochs
        self.train_loader = DataLoader(train, batch_size=batch_size // grad_accum, shuffle=True, drop_last=True)
        self.val_loader = DataLoader(val, batch_size=240)
        self.opt = torch.optim.AdamW(model.parameters(), lr=lr, weight_decay=weight_decay)
        self.sched = torch.optim.lr_scheduler.CosineAnnealingLR(self.opt, epochs * len(self.train_loader) // grad_accum)

    def train_epoch(self):
        self.model.train()
        total = 0.0
        for i, (x, y) in enumerate(self.train_loader):
            loss = F.cross_entropy(self.model(x), y)
            (loss / self.accum).backward()
            total += loss.item()
            if (i + 1) % self.accum == 0:
                self.opt.step()
                self.sched.step()
                self.opt.zero_grad()
        return total / len(self.train_loader)

    @torch.no_grad()
    def evaluate(self):
        self.model.eval()
        loss = hit = n = 0
        for x, y in self.val_loader:
            out = self.model(x)
            loss += F.cross_entropy(out, y, reduction="sum").item()
            hit += (out.argmax(1) == y).sum().item()
            n += len(y)
        return loss / n, hit / n

    def run(self):
        for ep in range(self.epochs):
            tl = self.train_epoch()
            vl, acc = self.evaluate()
            print(f"[{ep + 1}/{self.epochs}] train {tl:.4f} val {vl:.4f} acc {acc:.4f}")
