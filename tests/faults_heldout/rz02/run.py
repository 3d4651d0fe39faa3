import sys
import tomllib
from pathlib import Path

import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch.utils.data import DataLoader, TensorDataset

from trainer import Trainer
from vit import PatchClassifier


def build(cfg):
    d = load_digits()
    xa, xb, ya, yb = train_test_split(d.images, d.target, test_size=0.25, stratify=d.target, random_state=3)
    make = lambda x, y: TensorDataset(torch.tensor(x / 8.0 - 1.0, dtype=torch.float32), torch.tensor(y))
    bs = cfg["run"]["batch"]
    return DataLoader(make(xa, ya), bs, shuffle=True, drop_last=True), DataLoader(make(xb, yb), 256)


if __name__ == "__main__":
    path = Path(sys.argv[1] if len(sys.argv) > 1 else "cfg/base.toml")
    cfg = tomllib.loads(path.read_text())
    torch.manual_seed(cfg["run"]["seed"])
    train_dl, val_dl = build(cfg)
    model = PatchClassifier(**cfg["model"])
    vl, va = Trainer(model, train_dl, val_dl, cfg["optim"], cfg["run"]["epochs"]).fit()
    print(f"final: val loss {vl:.4f}, accuracy {va:.4f}")
