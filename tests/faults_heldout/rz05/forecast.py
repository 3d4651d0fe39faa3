"""Short-term load forecast: 72 h of history -> next 12 h."""
import numpy as np
import torch
from torch import nn

from settings import Settings


def windows(series, history, horizon):
    full = series.unfold(0, history + horizon, 1)
    return full[:, :history], full[:, history:]


def load(cfg):
    mw = torch.tensor(np.loadtxt("load.txt"), dtype=torch.float32)
    cut = int(0.8 * len(mw))
    mean, std = mw[:cut].mean(), mw[:cut].std()
    z = (mw - mean) / std
    return windows(z[:cut], cfg.history, cfg.horizon), windows(z[cut:], cfg.history, cfg.horizon), std.item()


class LoadNet(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(cfg.history, cfg.width), nn.SiLU(),
            nn.Linear(cfg.width, cfg.width), nn.SiLU(),
        )
        self.delta = nn.Linear(cfg.width, cfg.horizon)

    def forward(self, past):
        return past[:, -1:] + self.delta(self.body(past))


class Forecaster:
    def __init__(self, cfg: Settings):
        self.cfg = cfg
        torch.manual_seed(cfg.seed)
        self.net = LoadNet(cfg).to(cfg.dtype)
        self.opt = torch.optim.SGD(self.net.parameters(), lr=cfg.lr, momentum=cfg.momentum)

    def step(self, past, future):
        self.opt.zero_grad()
        pred = self.net(past.to(self.cfg.dtype))
        loss = nn.functional.mse_loss(pred.float(), future)
        loss.backward()
        self.opt.step()
        return loss.item()

    @torch.no_grad()
    def mae(self, past, future):
        self.net.eval()
        err = (self.net(past.to(self.cfg.dtype)).float() - future).abs().mean().item()
        self.net.train()
        return err

    def fit(self, train, valid, unit):
        past, future = train
        for epoch in range(self.cfg.epochs):
            losses = [self.step(past[i], future[i]) for i in torch.randperm(len(past)).split(self.cfg.batch)]
            if epoch % 5 == 4:
                print(f"epoch {epoch + 1}: mse {np.mean(losses):.4f}, valid MAE {unit * self.mae(*valid):.2f} MW")


if __name__ == "__main__":
    cfg = Settings()
    train, valid, unit = load(cfg)
    Forecaster(cfg).fit(train, valid, unit)
