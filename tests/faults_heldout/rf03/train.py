"""Soft sensor for valve pressure, trained with truncated BPTT on parallel streams."""
import numpy as np
import torch
from torch import nn

CHUNK = 24
EPOCHS = 10
LR = 5e-3


class SoftSensor(nn.Module):
    def __init__(self, n_in=2, width=32):
        super().__init__()
        self.cell = nn.GRU(n_in, width, batch_first=True)
        self.head = nn.Sequential(nn.Linear(width, 32), nn.SiLU(), nn.Linear(32, 1))
        self.width = width

    def initial(self, n):
        return torch.zeros(1, n, self.width)

    def forward(self, x, h):
        out, h = self.cell(x, h)
        return self.head(out).squeeze(-1), h


def windows(x, y):
    for s in range(0, x.shape[1], CHUNK):
        yield x[:, s:s + CHUNK], y[:, s:s + CHUNK]


def run(model, x, y, opt=None):
    model.train(opt is not None)
    losses = []
    with torch.set_grad_enabled(opt is not None):
        for xb, yb in windows(x, y):
            h = model.initial(x.shape[0])
            pred, h = model(xb, h)
            loss = nn.functional.mse_loss(pred, yb)
            if opt is not None:
                opt.zero_grad(set_to_none=True)
                loss.backward()
                nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                opt.step()
            h = h.detach()
            losses.append(loss.item())
    return float(np.mean(losses))


def main():
    torch.manual_seed(0)
    z = np.load("valves.npz")
    x = torch.tensor(np.stack([z["flow"].astype(np.float32), z["command"].astype(np.float32)], -1))
    y = torch.tensor(z["pressure"].astype(np.float32))
    xtr, ytr, xte, yte = x[:18], y[:18], x[18:], y[18:]
    mu, sd = ytr.mean(), ytr.std()
    ytr, yte = (ytr - mu) / sd, (yte - mu) / sd

    model = SoftSensor()
    opt = torch.optim.Adam(model.parameters(), lr=LR)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, EPOCHS)
    for ep in range(EPOCHS):
        tr = run(model, xtr, ytr, opt)
        te = run(model, xte, yte)
        sched.step()
        print(f"{ep:02d}  train mse {tr:.4f}  held-out streams {te:.4f}")


if __name__ == "__main__":
    main()
