from dataclasses import dataclass, field

import numpy as np
import torch
from torch import nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn
from torch.utils.data import DataLoader, TensorDataset

NAMES = ["walk", "run", "stairs", "rest", "cycle", "row"]


@dataclass
class Settings:
    test_wearers: list = field(default_factory=lambda: [2, 6, 9, 13])
    epochs: int = 8
    micro_batch: int = 16
    accumulate: int = 2
    peak_lr: float = 5e-3
    weight_decay: float = 1e-2
    ema: float = 0.97
    seed: int = 3


class Residual(nn.Module):
    def __init__(self, c_in, c_out, dilation):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv1d(c_in, c_out, 5, padding=2 * dilation, dilation=dilation),
            nn.GroupNorm(4, c_out),
            nn.ReLU(),
            nn.Conv1d(c_out, c_out, 3, padding=1),
            nn.GroupNorm(4, c_out),
        )
        self.skip = nn.Conv1d(c_in, c_out, 1) if c_in != c_out else nn.Identity()

    def forward(self, x):
        return torch.relu(self.body(x) + self.skip(x))


def make_model():
    return nn.Sequential(
        Residual(3, 16, 1), nn.MaxPool1d(2), Residual(16, 32, 2), nn.AdaptiveAvgPool1d(1), nn.Flatten(),
        nn.Dropout(0.2), nn.Linear(32, len(NAMES)),
    )


def load(cfg):
    z = np.load("windows.npz")
    x = torch.from_numpy(z["acc"].astype(np.float32) / 40)
    y = torch.from_numpy(z["activity"].astype(np.int64))
    test = torch.from_numpy(np.isin(z["wearer"], cfg.test_wearers))
    mean, std = x[~test].mean((0, 2), keepdim=True), x[~test].std((0, 2), keepdim=True)
    x = (x - mean) / std
    return TensorDataset(x[~test], y[~test]), TensorDataset(x[test], y[test])


def evaluate(model, dataset):
    model.eval()
    confusion = torch.zeros(len(NAMES), len(NAMES), dtype=torch.long)
    loss = 0.0
    with torch.no_grad():
        for x, y in DataLoader(dataset, batch_size=128):
            out = model(x)
            loss += nn.functional.cross_entropy(out, y, reduction="sum").item()
            confusion.index_put_((y, out.argmax(1)), torch.ones_like(y), accumulate=True)
    return loss / len(dataset), confusion


def train(cfg):
    torch.manual_seed(cfg.seed)
    train_set, test_set = load(cfg)
    loader = DataLoader(train_set, batch_size=cfg.micro_batch, shuffle=True, drop_last=True)
    updates = len(loader) // cfg.accumulate
    model = make_model()
    shadow = AveragedModel(model, multi_avg_fn=get_ema_multi_avg_fn(cfg.ema))
    opt = torch.optim.AdamW(model.parameters(), lr=cfg.peak_lr, weight_decay=cfg.weight_decay)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, cfg.peak_lr, total_steps=updates * cfg.epochs)

    for epoch in range(cfg.epochs):
        model.train()
        running = 0.0
        opt.zero_grad()
        for i, (x, y) in enumerate(loader):
            if i == updates * cfg.accumulate:
                break
            loss = nn.functional.cross_entropy(model(x), y)
            (loss / cfg.accumulate).backward()
            running += loss.item()
            if (i + 1) % cfg.accumulate == 0:
                opt.step()
                opt.zero_grad()
                sched.step()
                shadow.update_parameters(model)
        l, c = evaluate(shadow, test_set)
        print(f"epoch {epoch + 1:2d} train {running / (updates * cfg.accumulate):.4f} test(ema) {l:.4f} acc {c.diag().sum() / c.sum():.4f}")

    l, c = evaluate(shadow, train_set)
    print(f"train(ema) {l:.4f} acc {c.diag().sum() / c.sum():.4f}")
    _, c = evaluate(shadow, test_set)
    for name, recall in zip(NAMES, (c.diag() / c.sum(1)).tolist()):
        print(f"  {name:7s} recall {recall:.3f}")


if __name__ == "__main__":
    train(Settings())
