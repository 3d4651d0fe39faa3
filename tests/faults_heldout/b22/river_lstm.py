"""Next-day river flow from 20 days of flow, rain and temperature.  Chronological split, early stopping on val."""
import copy
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class River(Dataset):
    """Predicts the change of flow to the next day; the last known flow is the natural reference."""

    def __init__(self, table, start, stop, mean, std, look=20):
        self.x = torch.tensor((table[start:stop] - mean) / std, dtype=torch.float32)
        self.look = look

    def __len__(self):
        return len(self.x) - self.look

    def __getitem__(self, i):
        w = self.x[i:i + self.look]
        return w, self.x[i + self.look, 0] - w[-1, 0]


class LSTMModel(nn.Module):
    def __init__(self, d=3, h=24):
        super().__init__()
        self.lstm = nn.LSTM(d, h, batch_first=True)
        self.head = nn.Linear(h, 1)

    def forward(self, x):
        y, _ = self.lstm(x)
        return self.head(y[:, -1]).squeeze(-1)


class EarlyStopping:
    def __init__(self, patience):
        self.patience, self.best, self.wait, self.state = patience, float("inf"), 0, None

    def step(self, value, model):
        if value < self.best:
            self.best, self.wait, self.state = value, 0, copy.deepcopy(model.state_dict())
        else:
            self.wait += 1
        return self.wait >= self.patience


def mse(model, loader):
    model.eval()
    s = n = 0
    with torch.no_grad():
        for x, y in loader:
            s += ((model(x) - y) ** 2).sum().item()
            n += len(y)
    return s / n


def main():
    torch.manual_seed(14)
    table = np.genfromtxt(Path(__file__).with_name("river.csv"), delimiter=",", skip_header=1)[:, 1:]
    a, b = 1600, 2100
    mean, std = table[:a].mean(0), table[:a].std(0)
    train, val, test = (River(table, *r, mean, std) for r in ((0, a), (a, b), (b, len(table))))
    tl = DataLoader(train, batch_size=32, shuffle=True)
    vl, el = DataLoader(val, batch_size=256), DataLoader(test, batch_size=256)
    model = LSTMModel()
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    stop = EarlyStopping(patience=6)
    for epoch in range(1, 31):
        model.train()
        s = n = 0
        for x, y in tl:
            loss = ((model(x) - y) ** 2).mean()
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            s += loss.item() * len(y); n += len(y)
        v = mse(model, vl)
        print(f"epoch {epoch:2d}  train mse {s/n:.4f}  val mse {v:.4f}", flush=True)
        if stop.step(v, model):
            print("early stop, best", round(stop.best, 4))
            break
    model.load_state_dict(stop.state)
    persistence = np.mean([float(y) ** 2 for _, y in test])
    print(f"test mse {mse(model, el):.4f}   persistence {persistence:.4f}   (standardised units)")


if __name__ == "__main__":
    main()
