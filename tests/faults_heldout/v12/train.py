import csv
from pathlib import Path

import torch
from torch import nn


def read(path):
    with open(path) as fh:
        rows = [[float(v) for v in r] for r in list(csv.reader(fh))[1:]]
    t = torch.tensor(rows)
    return t[:, :-1], t[:, -1]


class PriceModel(nn.Module):
    """Predicts euros. Input scaling and the output scale are part of the model, so that it takes raw rows."""

    def __init__(self, x, y, hidden=64):
        super().__init__()
        self.register_buffer("mu", x.mean(0))
        self.register_buffer("sd", x.std(0))
        self.register_buffer("y_mu", y.mean())
        self.register_buffer("y_sd", y.std())
        self.mlp = nn.Sequential(nn.Linear(x.shape[1], hidden), nn.SiLU(), nn.Linear(hidden, hidden), nn.SiLU(), nn.Linear(hidden, 1))

    def forward(self, x):
        return self.y_mu + self.y_sd * self.mlp((x - self.mu) / self.sd).squeeze(-1)


def main():
    torch.manual_seed(0)
    x, y = read(Path(__file__).with_name("listings.csv"))
    perm = torch.randperm(len(y))
    tr, te = perm[:2400], perm[2400:]
    model = PriceModel(x[tr], y[tr])
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    for epoch in range(15):
        model.train()
        total = 0.0
        for idx in tr[torch.randperm(len(tr))].split(64):
            loss = nn.functional.mse_loss(model(x[idx]), y[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(idx)
        if epoch % 5 == 4:
            model.eval()
            with torch.no_grad():
                err = model(x[te]) - y[te]
            r2 = 1 - err.pow(2).mean() / y[te].var()
            print(f"epoch {epoch + 1}: mse {total / len(tr):,.0f} EUR^2   test MAE {err.abs().mean():,.0f} EUR  R2 {r2:.4f}")


if __name__ == "__main__":
    main()
