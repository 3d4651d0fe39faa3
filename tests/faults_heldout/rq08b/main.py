import argparse
import tomllib

import torch
from torch.utils.data import DataLoader, TensorDataset

from adam import SlimAdamW
from forecaster import Forecaster
from load import windows


class Trainer:
    def __init__(self, cfg):
        torch.manual_seed(cfg["run"]["seed"])
        data, self.unit = windows(**cfg["data"])
        self.loader = DataLoader(TensorDataset(*data["train"]), cfg["run"]["batch"], shuffle=True, drop_last=True)
        self.valid = data["valid"]
        self.model = Forecaster(data["train"][0].shape[1], cfg["data"]["horizon"], **cfg["model"])
        self.opt = SlimAdamW(self.model.parameters(), **cfg["optimizer"])
        self.epochs = cfg["run"]["epochs"]
        self.sched = torch.optim.lr_scheduler.OneCycleLR(
            self.opt, cfg["optimizer"]["lr"], total_steps=self.epochs * len(self.loader), pct_start=0.05,
            cycle_momentum=False)

    def train_epoch(self):
        self.model.train()
        total = 0.0
        for x, y in self.loader:
            loss = torch.nn.functional.mse_loss(self.model(x), y)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            self.sched.step()
            total += loss.item()
        return total / len(self.loader)

    @torch.no_grad()
    def validate(self):
        self.model.eval()
        err = self.model(self.valid[0]) - self.valid[1]
        return err.pow(2).mean().item(), err.abs().mean().item() * self.unit

    def fit(self):
        for epoch in range(1, self.epochs + 1):
            train = self.train_epoch()
            if epoch % 2 == 0:
                mse, mae = self.validate()
                print(f"epoch {epoch:3d} | train mse {train:.5f} | valid mse {mse:.5f} | valid mae {mae:.2f} MW")


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--config", default="demand.toml")
    with open(ap.parse_args().config, "rb") as f:
        Trainer(tomllib.load(f)).fit()
