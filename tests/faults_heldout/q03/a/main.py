import json
from pathlib import Path

import torch
import torch.nn as nn
from torch.utils.data import DataLoader

from dataset import CellPatches

base = Path(__file__).resolve().parent


def block(i, o):
    return nn.Sequential(nn.Conv2d(i, o, 3, padding=1), nn.BatchNorm2d(o), nn.ReLU(inplace=True))


class TinyUNet(nn.Module):
    def __init__(self, c=12):
        super().__init__()
        self.d1 = block(1, c)
        self.d2 = block(c, 2 * c)
        self.mid = block(2 * c, 2 * c)
        self.u2 = block(4 * c, c)
        self.u1 = block(2 * c, c)
        self.out = nn.Conv2d(c, 1, 1)
        self.down = nn.MaxPool2d(2)
        self.up = nn.Upsample(scale_factor=2, mode="nearest")

    def forward(self, x):
        a = self.d1(x)
        b = self.d2(self.down(a))
        m = self.mid(self.down(b))
        y = self.u2(torch.cat([self.up(m), b], 1))
        y = self.u1(torch.cat([self.up(y), a], 1))
        return self.out(y)


def dice(prob, target, eps=1.0):
    inter = (prob * target).sum((1, 2, 3))
    return ((2 * inter + eps) / (prob.sum((1, 2, 3)) + target.sum((1, 2, 3)) + eps)).mean()


class Trainer:
    def __init__(self, cfg):
        self.cfg = cfg
        self.train_loader = DataLoader(CellPatches(base / cfg["file"], "train"), cfg["batch_size"], shuffle=True)
        self.val_loader = DataLoader(CellPatches(base / cfg["file"], "val"), 64)
        self.model = TinyUNet(cfg["channels"])
        self.bce = nn.BCEWithLogitsLoss()
        self.optim = torch.optim.AdamW(self.model.parameters(), lr=cfg["lr"], weight_decay=1e-4)
        self.best = 0.0

    def step(self, x, y):
        logits = self.model(x)
        loss = self.bce(logits, y) + 0.5 * (1 - dice(torch.sigmoid(logits), y))
        self.optim.zero_grad(set_to_none=True)
        loss.backward()
        self.optim.step()
        return loss.item()

    @torch.no_grad()
    def validate(self):
        self.model.eval()
        inter = union = 0.0
        for x, y in self.val_loader:
            hit = self.model(x) > 0
            inter += (hit & (y > 0.5)).sum().item()
            union += (hit | (y > 0.5)).sum().item()
        self.model.train()
        return inter / max(union, 1.0)

    def fit(self):
        for ep in range(self.cfg["epochs"]):
            losses = [self.step(x, y) for x, y in self.train_loader]
            iou = self.validate()
            print(f"[{ep + 1}/{self.cfg['epochs']}] loss={sum(losses) / len(losses):.4f} val_iou={iou:.3f}")
            if iou > self.best:
                self.best = iou
                torch.save(self.model.state_dict(), base / "best_unet.pt")


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(1234)
    Trainer(json.loads((base / "config.json").read_text())).fit()
