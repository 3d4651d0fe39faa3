"""Linear evaluation of a pretrained encoder on the scanned meter digits."""
import argparse
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from encoder import Encoder

HERE = Path(__file__).resolve().parent


@dataclass
class Cfg:
    weights: Path = HERE / "encoder.pt"
    data: Path = HERE / "meters.npz"
    epochs: int = 25
    batch_size: int = 32
    lr: float = 1e-2
    seed: int = 0


class Probe(nn.Module):
    def __init__(self, n_classes):
        super().__init__()
        self.encoder = Encoder()
        self.head = nn.Linear(self.encoder.out_dim, n_classes)

    def forward(self, x):
        return self.head(self.encoder(x))


def restore_encoder(encoder, path):
    ckpt = torch.load(path, map_location="cpu", weights_only=True)
    # the file also holds the projector of the pretraining task, which is not used here
    encoder.load_state_dict(ckpt["model"], strict=False)
    print(f"encoder <- {Path(path).name} (epoch {ckpt['epoch']})")


def loaders(cfg):
    z = np.load(cfg.data)
    to = lambda a: torch.from_numpy(a.astype(np.float32) / 16.0).unsqueeze(1)
    tr = TensorDataset(to(z["train_x"]), torch.from_numpy(z["train_y"]).long())
    va = TensorDataset(to(z["val_x"]), torch.from_numpy(z["val_y"]).long())
    return DataLoader(tr, cfg.batch_size, shuffle=True), DataLoader(va, 256)


def run_epoch(model, loader, optimizer=None):
    loss_sum = correct = count = 0
    for x, y in loader:
        with torch.set_grad_enabled(optimizer is not None):
            logits = model(x)
            loss = nn.functional.cross_entropy(logits, y)
        if optimizer is not None:
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        loss_sum += loss.item() * len(y)
        correct += (logits.argmax(-1) == y).sum().item()
        count += len(y)
    return loss_sum / count, correct / count


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=Cfg.epochs)
    ap.add_argument("--lr", type=float, default=Cfg.lr)
    a = ap.parse_args()
    cfg = Cfg(epochs=a.epochs, lr=a.lr)

    torch.set_num_threads(1)
    torch.manual_seed(cfg.seed)
    train_loader, val_loader = loaders(cfg)
    model = Probe(n_classes=10)
    restore_encoder(model.encoder, cfg.weights)
    model.encoder.requires_grad_(False)
    model.encoder.eval()

    optimizer = torch.optim.Adam(model.head.parameters(), lr=cfg.lr)
    best = 0.0
    for epoch in range(cfg.epochs):
        tr_loss, tr_acc = run_epoch(model, train_loader, optimizer)
        va_loss, va_acc = run_epoch(model, val_loader)
        best = max(best, va_acc)
        print(f"[{epoch:02d}] train loss {tr_loss:.3f} acc {tr_acc:.3f} | val loss {va_loss:.3f} acc {va_acc:.3f}")
    print("best val acc %.3f" % best)


if __name__ == "__main__":
    main()
