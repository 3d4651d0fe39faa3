import copy
import tomllib
from pathlib import Path

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from data import load


class MLP(nn.Module):
    def __init__(self, n_in, hidden, dropout):
        super().__init__()
        layers, width = [], n_in
        for h in hidden:
            layers += [nn.Linear(width, h), nn.SiLU(), nn.Dropout(dropout)]
            width = h
        self.body = nn.Sequential(*layers)
        self.out = nn.Linear(width, 1)

    def forward(self, x):
        return self.out(self.body(x)).squeeze(-1)


class Trainer:
    def __init__(self, model, cfg, train, val):
        self.model = model
        self.cfg = cfg
        self.loader = DataLoader(TensorDataset(*train), batch_size=cfg["batch_size"], shuffle=True)
        self.val = val
        self.opt = torch.optim.AdamW(model.parameters(), lr=cfg["lr"], weight_decay=cfg["weight_decay"])
        self.sched = torch.optim.lr_scheduler.CosineAnnealingLR(self.opt, T_max=cfg["epochs"])
        self.loss = nn.MSELoss()
        self.best, self.best_state = float("inf"), None

    @torch.no_grad()
    def evaluate(self, x, y):
        self.model.eval()
        return self.loss(self.model(x), y).item()

    def epoch(self):
        self.model.train()
        running = 0.0
        for x, y in self.loader:
            loss = self.loss(self.model(x), y)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            running += loss.item() * len(x)
        self.sched.step()
        return running / len(self.loader.dataset)

    def fit(self):
        for e in range(1, self.cfg["epochs"] + 1):
            tr = self.epoch()
            va = self.evaluate(*self.val)
            if va < self.best:
                self.best, self.best_state = va, copy.deepcopy(self.model.state_dict())
            if e % 4 == 0 or e == 1:
                print(f"[{e:3d}] train_mse={tr:.4f} val_mse={va:.4f} best={self.best:.4f}")
        self.model.load_state_dict(self.best_state)


def main():
    torch.manual_seed(0)
    cfg = tomllib.loads((Path(__file__).parent / "config.toml").read_text())
    enc, train, val, test = load(cfg["data"])
    model = MLP(train[0].shape[1], cfg["model"]["hidden"], cfg["model"]["dropout"])
    trainer = Trainer(model, cfg["optim"], train, val)
    trainer.fit()

    x, y = test
    model.eval()
    with torch.no_grad():
        z = model(x)
    pred, true = enc.to_kwh(z), enc.to_kwh(y)
    mape = ((pred - true).abs() / true).mean().item()
    r2 = 1 - ((z - y) ** 2).sum().item() / ((y - y.mean()) ** 2).sum().item()
    print(f"test: MAE {(pred - true).abs().mean().item():.0f} kWh  MAPE {100 * mape:.1f}%  R2(log) {r2:.3f}")


if __name__ == "__main__":
    main()
