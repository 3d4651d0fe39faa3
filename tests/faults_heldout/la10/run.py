import json
import sys

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

from transforms import Pipeline


class Recordings(Dataset):
    def __init__(self, x, y, transform=None):
        self.x, self.y, self.transform = x, y, transform

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        x = self.x[i]
        if self.transform is not None:
            x = self.transform(x)
        return x, self.y[i]


class GestureNet(nn.Module):
    def __init__(self, n_classes, channels, kernel, dropout):
        super().__init__()
        c, k = channels, kernel
        self.features = nn.Sequential(
            nn.Conv1d(3, c, k, padding=k // 2), nn.BatchNorm1d(c), nn.ReLU(), nn.MaxPool1d(2),
            nn.Conv1d(c, c, k, padding=k // 2), nn.BatchNorm1d(c), nn.ReLU(), nn.MaxPool1d(2),
            nn.Conv1d(c, 2 * c, k, padding=k // 2), nn.BatchNorm1d(2 * c), nn.ReLU(),
            nn.AdaptiveMaxPool1d(2), nn.Flatten(),
        )
        self.classify = nn.Sequential(nn.Dropout(dropout), nn.Linear(4 * c, n_classes))

    def forward(self, x):
        return self.classify(self.features(x))


class Trainer:
    def __init__(self, cfg):
        torch.manual_seed(cfg["seed"])
        z = np.load(cfg["data"])
        x = torch.from_numpy(z["accel"].astype(np.float32)) / 40
        y = torch.from_numpy(z["label"].astype(np.int64))
        held = torch.from_numpy(np.isin(z["subject"], cfg["test_subjects"]))
        mean = x[~held].mean((0, 2), keepdim=True)
        std = x[~held].std((0, 2), keepdim=True)
        x = (x - mean) / std
        self.names = z["names"].tolist()
        self.cfg = cfg
        self.train_set = Recordings(x[~held], y[~held], Pipeline(cfg["augment"]))
        self.test_x, self.test_y = x[held], y[held]
        self.model = GestureNet(len(self.names), **cfg["model"])
        self.opt = torch.optim.AdamW(self.model.parameters(), **cfg["optimizer"])
        self.loss = nn.CrossEntropyLoss()

    def fit(self):
        loader = DataLoader(self.train_set, batch_size=self.cfg["batch_size"], shuffle=True, drop_last=True)
        sched = torch.optim.lr_scheduler.CosineAnnealingLR(self.opt, self.cfg["epochs"] * len(loader))
        for epoch in range(self.cfg["epochs"]):
            self.model.train()
            total, hit, n = 0.0, 0, 0
            for x, y in loader:
                out = self.model(x)
                loss = self.loss(out, y)
                self.opt.zero_grad()
                loss.backward()
                self.opt.step()
                sched.step()
                total += loss.item() * len(y)
                hit += (out.argmax(1) == y).sum().item()
                n += len(y)
            val_loss, val_acc = self.test()
            print(f"epoch {epoch + 1:02d}: train {total / n:.3f}/{hit / n:.3f}  test {val_loss:.3f}/{val_acc:.3f}")

    @torch.no_grad()
    def test(self):
        self.model.eval()
        out = self.model(self.test_x)
        return self.loss(out, self.test_y).item(), (out.argmax(1) == self.test_y).float().mean().item()

    @torch.no_grad()
    def per_class(self):
        self.model.eval()
        guess = self.model(self.test_x).argmax(1)
        for k, name in enumerate(self.names):
            sel = self.test_y == k
            print(f"  {name:12s} recall {(guess[sel] == k).float().mean():.2f}  ({int(sel.sum())} recordings)")


if __name__ == "__main__":
    trainer = Trainer(json.load(open(sys.argv[1] if len(sys.argv) > 1 else "conf/train.json")))
    trainer.fit()
    trainer.per_class()
