"""Predicts the capacity fade curve (one point per 25 cycles) of a cell from its test conditions.

Cells leave the test bench at different times, so the measured curves have different lengths.
"""
import json
import random

import torch
import torch.nn as nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader, Dataset

CONDITIONS = ("temp", "c_rate", "dod", "v_max", "r0")
HORIZON = 48


class Cells(Dataset):
    def __init__(self, cells, stats):
        self.cells = cells
        self.stats = stats

    def __len__(self):
        return len(self.cells)

    def __getitem__(self, i):
        c = self.cells[i]
        x = torch.tensor([c[k] for k in CONDITIONS])
        return (x - self.stats["x_mean"]) / self.stats["x_std"], torch.tensor(c["capacity"])


class Collate:
    """Pads the curves to the full horizon and standardises them."""

    def __init__(self, stats):
        self.mean, self.std = stats["y_mean"], stats["y_std"]

    def __call__(self, items):
        x = torch.stack([a for a, _ in items])
        curves = [c for _, c in items]
        lengths = torch.tensor([len(c) for c in curves])
        y = pad_sequence(curves, batch_first=True)
        y = nn.functional.pad(y, (0, HORIZON - y.shape[1]))
        y = (y - self.mean) / self.std
        return x, y, lengths


class FadeNet(nn.Module):
    def __init__(self, d_in, hidden=48):
        super().__init__()
        self.encode = nn.Sequential(nn.Linear(d_in, hidden), nn.SiLU(), nn.Linear(hidden, hidden), nn.SiLU())
        self.rnn = nn.GRU(1, hidden, batch_first=True)
        self.readout = nn.Sequential(nn.Linear(hidden, hidden), nn.SiLU(), nn.Linear(hidden, 1))
        self.register_buffer("clock", torch.linspace(-1, 1, HORIZON)[None, :, None])

    def forward(self, x):
        h0 = self.encode(x)[None]
        out, _ = self.rnn(self.clock.expand(len(x), -1, -1), h0.contiguous())
        return self.readout(out).squeeze(-1)


def curve_loss(pred, target):
    observed = (target != 0).float()
    return ((pred - target).square() * observed).sum() / observed.sum()


@torch.no_grad()
def rmse(model, loader, std):
    """Error on the measured points, in units of nominal capacity."""
    model.eval()
    sq, n = 0.0, 0
    for x, y, lengths in loader:
        inside = torch.arange(HORIZON)[None] < lengths[:, None]
        sq += ((model(x) - y)[inside] * std).square().sum().item()
        n += inside.sum().item()
    return (sq / n) ** 0.5


def main():
    random.seed(8)
    torch.manual_seed(8)
    cells = json.load(open("cells.json"))
    random.shuffle(cells)
    n_val = len(cells) // 5
    val, train = cells[:n_val], cells[n_val:]

    xs = torch.tensor([[c[k] for k in CONDITIONS] for c in train])
    ys = torch.cat([torch.tensor(c["capacity"]) for c in train])
    stats = {"x_mean": xs.mean(0), "x_std": xs.std(0), "y_mean": ys.mean(), "y_std": ys.std()}

    collate = Collate(stats)
    train_loader = DataLoader(Cells(train, stats), batch_size=32, shuffle=True, collate_fn=collate)
    val_loader = DataLoader(Cells(val, stats), batch_size=len(val), collate_fn=collate)

    model = FadeNet(len(CONDITIONS))
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    epochs = 60
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, 6e-3, total_steps=epochs * len(train_loader))
    print(f"{len(train)} cells to train on, {n_val} held out, spread of the measured capacity {ys.std():.4f}")

    for epoch in range(1, epochs + 1):
        model.train()
        total = 0.0
        for x, y, _ in train_loader:
            loss = curve_loss(model(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            total += loss.item()
        if epoch % 5 == 0:
            print(f"epoch {epoch:3d}  loss {total / len(train_loader):8.4f}  "
                  f"rmse train {rmse(model, train_loader, stats['y_std']):.4f}  val {rmse(model, val_loader, stats['y_std']):.4f}")


if __name__ == "__main__":
    main()
