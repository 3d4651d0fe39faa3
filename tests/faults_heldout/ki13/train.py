"""Compressive strength of mixes from the batch sheet."""
import numpy as np
import torch
from torch import nn


class Strength(nn.Module):
    def __init__(self, width=48):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(7, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU(), nn.Linear(width, 1))

    def forward(self, x):
        return self.layers(x).squeeze(1)


class Fit:
    def __init__(self, model, lr, epochs, batch):
        self.model, self.epochs, self.batch = model, epochs, batch
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)
        self.sched = torch.optim.lr_scheduler.CosineAnnealingLR(self.opt, epochs)

    def begin_epoch(self):
        self.model.train()
        self.opt.zero_grad()
        self.total, self.count = 0.0, 0

    def batch_step(self, x, y):
        loss = nn.functional.mse_loss(self.model(x), y)
        loss.backward()
        self.opt.step()
        self.total += loss.item() * len(y)
        self.count += len(y)

    def end_epoch(self, epoch, x, y):
        self.sched.step()
        self.model.eval()
        with torch.no_grad():
            p = self.model(x)
        r2 = 1 - ((p - y) ** 2).mean() / y.var()
        print(f"epoch {epoch:2d} mse {self.total / self.count:.4f} held-out r2 {r2:.4f}")

    def run(self, train, held):
        x, y = train
        for epoch in range(1, self.epochs + 1):
            self.begin_epoch()
            for b in torch.randperm(len(y)).split(self.batch):
                self.batch_step(x[b], y[b])
            self.end_epoch(epoch, *held)


if __name__ == "__main__":
    torch.manual_seed(2)
    sheet = np.loadtxt("mixes.csv", delimiter=",")
    np.random.default_rng(2).shuffle(sheet)
    sheet = (sheet - sheet[:1900].mean(0)) / sheet[:1900].std(0)
    t = torch.tensor(sheet, dtype=torch.float32)
    Fit(Strength(), 0.01, 30, 32).run((t[:1900, :7], t[:1900, 7]), (t[1900:, :7], t[1900:, 7]))
