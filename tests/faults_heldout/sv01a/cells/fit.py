import torch
from torch import nn
from torch.utils.data import DataLoader


@torch.no_grad()
def score(model, data):
    model.eval()
    logits = model(data.x)
    return nn.functional.cross_entropy(logits, data.y).item(), (logits.argmax(1) == data.y).double().mean().item()


class Fitter:
    def __init__(self, model, sets, epochs=22, lr=1e-3, batch=32, smoothing=0.1):
        self.model, self.sets, self.epochs = model, sets, epochs
        self.loader = DataLoader(sets["train"], batch_size=batch, shuffle=True)
        self.loss = nn.CrossEntropyLoss(label_smoothing=smoothing)
        self.opt = torch.optim.AdamW(model.parameters(), lr=lr, weight_decay=0.05)
        steps = epochs * len(self.loader)
        self.sched = torch.optim.lr_scheduler.OneCycleLR(self.opt, max_lr=lr, total_steps=steps, pct_start=0.2)

    def epoch(self):
        self.model.train()
        seen = total = 0.0
        for x, y in self.loader:
            loss = self.loss(self.model(x), y)
            self.opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(self.model.parameters(), 5.0)
            self.opt.step()
            self.sched.step()
            total += loss.item() * len(y)
            seen += len(y)
        return total / seen

    def run(self):
        for e in range(1, self.epochs + 1):
            train_loss = self.epoch()
            if e % 2 == 0:
                ce, acc = score(self.model, self.sets["valid"])
                print(f"{e:3d}: train {train_loss:.4f}   valid ce {ce:.4f} acc {acc:.3f}")
