import json

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from arm import sample


class InverseDynamics(nn.Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        width = n_in // 4
        self.net = nn.Sequential(
            nn.Linear(n_in, width), nn.Tanh(),
            nn.Linear(width, width), nn.Tanh(),
            nn.Linear(width, n_out),
        )

    def forward(self, x):
        return self.net(x)


class Trainer:
    def __init__(self, cfg):
        self.cfg = cfg
        torch.manual_seed(cfg["seed"])
        x, y = map(torch.from_numpy, sample(cfg["n_train"], 100))
        xv, yv = map(torch.from_numpy, sample(cfg["n_valid"], 200))
        self.ym, self.ys = y.mean(0), y.std(0)
        xm, xs = x.mean(0), x.std(0)
        self.train_set = TensorDataset((x - xm) / xs, (y - self.ym) / self.ys)
        self.valid = (xv - xm) / xs, (yv - self.ym) / self.ys
        self.model = InverseDynamics(x.shape[1], y.shape[1])
        self.opt = torch.optim.Adam(self.model.parameters(), lr=cfg["lr"])
        self.loader = DataLoader(self.train_set, cfg["batch"], shuffle=True)
        self.sched = torch.optim.lr_scheduler.CosineAnnealingLR(self.opt, cfg["epochs"])

    def epoch(self):
        self.model.train()
        acc = 0.0
        for x, y in self.loader:
            loss = nn.functional.mse_loss(self.model(x), y)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            acc += loss.item() * len(x)
        self.sched.step()
        return acc / len(self.train_set)

    @torch.no_grad()
    def score(self):
        self.model.eval()
        x, y = self.valid
        mse = nn.functional.mse_loss(self.model(x), y).item()
        rmse = ((self.model(x) - y) * self.ys).pow(2).mean(0).sqrt()
        return mse, rmse.tolist()

    def run(self):
        for e in range(self.cfg["epochs"]):
            tr = self.epoch()
            mse, rmse = self.score()
            print(f"epoch {e:2d}  train {tr:.4f}  valid {mse:.4f}  torque rmse {rmse[0]:.2f} / {rmse[1]:.2f} Nm")


if __name__ == "__main__":
    with open("config.json") as fh:
        Trainer(json.load(fh)).run()
