import configparser

import numpy as np
import torch
from torch import nn


class PriceModel(nn.Module):
    """Takes kilometres, years, kilograms ... as they are and answers in euros."""

    def __init__(self, x, y, hidden):
        super().__init__()
        self.register_buffer("x_mean", x.mean(0))
        self.register_buffer("x_std", x.std(0))
        self.register_buffer("y_mean", y.mean())
        self.register_buffer("y_std", y.std())
        self.body = nn.Sequential(nn.Linear(x.shape[1], hidden), nn.SiLU(), nn.Linear(hidden, hidden), nn.SiLU(),
                                  nn.Linear(hidden, 1))

    def forward(self, x):
        h = self.body((x - self.x_mean) / self.x_std).squeeze(-1)
        return h * self.y_std + self.y_mean

    def loss(self, x, y):
        return (((self(x) - y) / self.y_std) ** 2).mean()


def load(cfg):
    with open(cfg["file"]) as f:
        head = f.readline().strip().split(",")
    table = np.loadtxt(cfg["file"], delimiter=",", skiprows=1, dtype=np.float32)
    cols = [head.index(c.strip()) for c in cfg["features"].split(",")]
    return torch.from_numpy(table[:, cols]), torch.from_numpy(table[:, head.index(cfg["target"])])


def main():
    ini = configparser.ConfigParser()
    ini.read("settings.ini")
    t = ini["train"]
    torch.manual_seed(t.getint("seed"))
    x, y = load(ini["data"])
    perm = torch.randperm(len(x))
    k = int(len(x) * ini["data"].getfloat("holdout"))
    te, tr = perm[:k], perm[k:]
    model = PriceModel(x[tr], y[tr], t.getint("hidden"))
    opt = torch.optim.Adam(model.parameters(), lr=t.getfloat("rate"))
    for epoch in range(t.getint("epochs")):
        model.train()
        for idx in tr[torch.randperm(len(tr))].split(t.getint("batch")):
            opt.zero_grad()
            loss = model.loss(x[idx], y[idx])
            loss.backward()
            opt.step()
        model.eval()
        with torch.no_grad():
            e_tr = (model(x[tr]) - y[tr]).abs().mean().item()
            e_te = (model(x[te]) - y[te]).abs().mean().item()
        if (epoch + 1) % 5 == 0:
            print(f"epoch {epoch + 1}: mean error {e_tr:.0f} EUR train, {e_te:.0f} EUR held out (mean price {y.mean():.0f}, spread {y.std():.0f})")


main()
