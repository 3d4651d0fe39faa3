import numpy as np
import torch
import torch.nn.functional as F
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset


class BeatNet(nn.Module):
    def __init__(self, width, classes):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv1d(1, width, 7, padding=3), nn.BatchNorm1d(width), nn.ReLU(), nn.MaxPool1d(2),
            nn.Conv1d(width, 2 * width, 5, padding=2), nn.BatchNorm1d(2 * width), nn.ReLU(), nn.MaxPool1d(2),
            nn.Conv1d(2 * width, 2 * width, 5, padding=2), nn.BatchNorm1d(2 * width), nn.ReLU(), nn.MaxPool1d(2))
        self.head = nn.Linear(2 * width * 12, classes)

    def forward(self, x):
        return self.head(self.body(x[:, None]).flatten(1))


def make_loaders(path, batch, held_out, seed):
    z = np.load(path)
    x = torch.tensor(z["trace"], dtype=torch.float32)
    y = torch.tensor(z["kind"], dtype=torch.long)
    perm = torch.randperm(len(y), generator=torch.Generator().manual_seed(seed))
    va, tr = perm[:held_out], perm[held_out:]
    mean, std = x[tr].mean(), x[tr].std()
    x = (x - mean) / std
    return (DataLoader(TensorDataset(x[tr], y[tr]), batch, shuffle=True, drop_last=True),
            DataLoader(TensorDataset(x[va], y[va]), 250))


class Trainer:
    def __init__(self, cfg):
        self.cfg = cfg
        torch.manual_seed(cfg["seed"])
        self.train_loader, self.val_loader = make_loaders(cfg["data"], cfg["batch_size"], cfg["held_out"], cfg["seed"])
        self.model = BeatNet(**cfg["model"])
        self.opt = optim.SGD(self.model.parameters(), **cfg["optimizer"])
        self.sched = optim.lr_scheduler.MultiStepLR(self.opt, **cfg["schedule"])

    def training_step(self, x, y):
        loss = F.cross_entropy(self.model(x), y)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.sched.step()
        return loss.item()

    def fit(self):
        for epoch in range(self.cfg["epochs"]):
            self.model.train()
            losses = [self.training_step(x, y) for x, y in self.train_loader]
            val_loss, acc = self.evaluate()
            print(f"[{epoch + 1:02d}/{self.cfg['epochs']}] train {np.mean(losses):.4f} val {val_loss:.4f} acc {acc:.4f}")

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
