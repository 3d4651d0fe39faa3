"""Activity recognition from 3-axis accelerometer windows with a stack of recurrent layers."""
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


@dataclass
class Config:
    n_windows: int = 1400
    steps: int = 80
    hidden: int = 48
    layers: int = 4
    batch_size: int = 50
    epochs: int = 8
    lr: float = 3e-3
    clip: float = 1.0
    weight_decay: float = 1e-4
    seed: int = 3


ACTIVITIES = ["rest", "walk", "run", "stairs", "cycle"]


def synth_window(rng, label, steps):
    t = np.arange(steps) / 20.0
    freq, amp = {0: (0.2, 0.05), 1: (1.7, 0.6), 2: (2.7, 1.2), 3: (1.4, 0.8), 4: (1.1, 0.4)}[label]
    freq = freq * rng.normal(1.0, 0.06)
    amp = amp * rng.lognormal(0.0, 0.15)
    phase = rng.uniform(0, 2 * np.pi)
    x = amp * np.sin(2 * np.pi * freq * t + phase)
    y = 0.6 * amp * np.sin(4 * np.pi * freq * t + 1.3 * phase)
    z = 0.4 * amp * np.cos(2 * np.pi * freq * t + phase)
    if label == 3:
        z = z + 0.35 * np.sign(np.sin(2 * np.pi * freq * t + phase))
    if label == 4:
        y = 0.9 * amp * np.cos(2 * np.pi * freq * t + phase)
    sig = np.stack([x, y, z], -1)
    return sig + rng.normal(0, 0.25, sig.shape)


def build_data(cfg):
    rng = np.random.default_rng(cfg.seed)
    labels = rng.integers(0, len(ACTIVITIES), cfg.n_windows)
    X = np.stack([synth_window(rng, int(c), cfg.steps) for c in labels]).astype(np.float32)
    n_train = int(0.8 * cfg.n_windows)
    mean = X[:n_train].mean((0, 1), keepdims=True)
    std = X[:n_train].std((0, 1), keepdims=True)
    X = torch.from_numpy((X - mean) / std)
    y = torch.from_numpy(labels).long()
    return TensorDataset(X[:n_train], y[:n_train]), TensorDataset(X[n_train:], y[n_train:])


class RecurrentBlock(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.rnn = nn.LSTM(dim, dim, batch_first=True)
        for name, p in self.rnn.named_parameters():
            if "weight_hh" in name:
                for chunk in p.data.chunk(4):
                    nn.init.orthogonal_(chunk)
            elif "bias_ih" in name:
                p.data.zero_()
                p.data[dim:2 * dim] = 1.0
            elif "bias_hh" in name:
                p.data.zero_()

    def forward(self, x):
        out, _ = self.rnn(self.norm(x))
        return x + out


class ActivityNet(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.inp = nn.Linear(3, cfg.hidden)
        self.blocks = nn.ModuleList([RecurrentBlock(cfg.hidden) for _ in range(cfg.layers)])
        self.norm = nn.LayerNorm(cfg.hidden)
        self.out = nn.Linear(cfg.hidden, len(ACTIVITIES))

    def forward(self, x):
        h = self.inp(x)
        for block in self.blocks:
            h = block(h)
        return self.out(self.norm(h[:, -20:].mean(1)))


def evaluate(model, loader):
    model.eval()
    loss, hits, n = 0.0, 0, 0
    with torch.no_grad():
        for xb, yb in loader:
            logits = model(xb)
            loss += F.cross_entropy(logits, yb, reduction="sum").item()
            hits += (logits.argmax(1) == yb).sum().item()
            n += len(yb)
    return loss / n, hits / n


def main():
    cfg = Config()
    torch.manual_seed(cfg.seed)
    train_ds, val_ds = build_data(cfg)
    train_dl = DataLoader(train_ds, cfg.batch_size, shuffle=True, drop_last=True)
    val_dl = DataLoader(val_ds, 140)

    net = ActivityNet(cfg)
    opt = torch.optim.AdamW(net.parameters(), lr=cfg.lr, weight_decay=cfg.weight_decay)
    sched = torch.optim.lr_scheduler.OneCycleLR(
        opt, max_lr=cfg.lr, total_steps=cfg.epochs * len(train_dl), pct_start=0.2
    )

    for epoch in range(cfg.epochs):
        net.train()
        total, norms = 0.0, []
        for xb, yb in train_dl:
            loss = F.cross_entropy(net(xb), yb)
            opt.zero_grad(set_to_none=True)
            loss.backward()
            norms.append(nn.utils.clip_grad_norm_(net.parameters(), cfg.clip).item())
            opt.step()
            sched.step()
            total += loss.item()
        val_loss, val_acc = evaluate(net, val_dl)
        print(
            f"[{epoch + 1}/{cfg.epochs}] train {total / len(train_dl):.4f} | val {val_loss:.4f} "
            f"acc {val_acc:.3f} | grad norm {np.mean(norms):.2f}"
        )


if __name__ == "__main__":
    main()
