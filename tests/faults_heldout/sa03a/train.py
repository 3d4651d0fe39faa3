"""Grade biopsy patches (4 grades)."""
import sys
import tomllib
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset, Subset

from model import PatchGrader

BASE = Path(__file__).resolve().parent


class PatchDataset(Dataset):
    def __init__(self, path, train):
        raw = np.load(path)
        self.images = torch.from_numpy(raw["image"].astype(np.float32))[:, None]
        self.images = (self.images - 110.0) / 45.0
        self.grades = torch.from_numpy(raw["grade"].astype(np.int64))
        self.train = train

    def __len__(self):
        return len(self.grades)

    def __getitem__(self, i):
        img = self.images[i]
        if self.train:
            k = int(torch.randint(4, ()))
            img = torch.rot90(img, k, dims=(1, 2))
            if torch.rand(()) < 0.5:
                img = img.flip(2)
        return img, self.grades[i]


class Trainer:
    def __init__(self, conf):
        self.conf = conf
        torch.manual_seed(conf["seed"])
        path = BASE / conf["data"]["file"]
        n = len(PatchDataset(path, False))
        order = torch.randperm(n, generator=torch.Generator().manual_seed(0)).tolist()
        n_val = int(n * conf["data"]["val_fraction"])
        self.train_loader = DataLoader(Subset(PatchDataset(path, True), order[n_val:]),
                                       batch_size=conf["train"]["batch_size"], shuffle=True, drop_last=True)
        self.val_loader = DataLoader(Subset(PatchDataset(path, False), order[:n_val]), batch_size=70)
        self.model = PatchGrader(conf["model"]["widths"], 4, conf["model"]["norm"])
        self.opt = torch.optim.AdamW(self.model.parameters(), lr=conf["train"]["lr"], weight_decay=1e-4)
        steps = conf["train"]["epochs"] * len(self.train_loader)
        self.sched = torch.optim.lr_scheduler.CosineAnnealingLR(self.opt, steps)

    def train_epoch(self):
        self.model.train()
        losses, hits, n = [], 0, 0
        for img, grade in self.train_loader:
            logits = self.model(img)
            loss = F.cross_entropy(logits, grade)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            self.sched.step()
            losses.append(loss.item())
            hits += int((logits.argmax(1) == grade).sum())
            n += len(grade)
        return sum(losses) / len(losses), hits / n

    @torch.no_grad()
    def validate(self):
        self.model.eval()
        loss, hits, n = 0.0, 0, 0
        for img, grade in self.val_loader:
            logits = self.model(img)
            loss += F.cross_entropy(logits, grade, reduction="sum").item()
            hits += int((logits.argmax(1) == grade).sum())
            n += len(grade)
        return loss / n, hits / n

    def fit(self):
        for epoch in range(self.conf["train"]["epochs"]):
            tl, ta = self.train_epoch()
            vl, va = self.validate()
            print(f"epoch {epoch:2d} | train loss {tl:.3f} acc {ta:.3f} | val loss {vl:.3f} acc {va:.3f}", flush=True)


if __name__ == "__main__":
    conf_path = BASE / (sys.argv[1] if len(sys.argv) > 1 else "config.toml")
    Trainer(tomllib.loads(conf_path.read_text())).fit()
