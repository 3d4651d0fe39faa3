from dataclasses import dataclass

import torch
from torch import nn
from sklearn.datasets import load_diabetes
from sklearn.preprocessing import StandardScaler


@dataclass
class Config:
    hidden: int = 48
    epochs: int = 150
    batch: int = 32
    lr: float = 1e-2
    momentum: float = 0.9
    weight_decay: float = 1e-3
    n_val: int = 90
    log_every: int = 15
    seed: int = 17


def load(cfg):
    x, y = load_diabetes(return_X_y=True)
    perm = torch.randperm(len(x), generator=torch.Generator().manual_seed(cfg.seed)).numpy()
    x, y = x[perm], y[perm].reshape(-1, 1)
    sx, sy = StandardScaler().fit(x[cfg.n_val:]), StandardScaler().fit(y[cfg.n_val:])
    t = lambda a: torch.tensor(a, dtype=torch.float32)
    x, y = t(sx.transform(x)), t(sy.transform(y))
    return (x[cfg.n_val:], y[cfg.n_val:]), (x[:cfg.n_val], y[:cfg.n_val])


class Regressor(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(d, h), nn.SiLU(), nn.Dropout(0.2), nn.Linear(h, h), nn.SiLU())
        self.out = nn.Linear(h, 1)

    def forward(self, x):
        return self.out(self.body(x))


class Trainer:
    def __init__(self, model, cfg):
        self.model, self.cfg = model, cfg
        self.opt = torch.optim.SGD(model.parameters(), lr=cfg.lr, momentum=cfg.momentum,
                                   weight_decay=cfg.weight_decay, nesterov=True)
        self.criterion = nn.SmoothL1Loss()
        self.grad_norms = []

    def record_grad_norm(self):
        grads = [p.grad.detach().flatten() for p in self.model.parameters() if p.grad is not None]
        self.grad_norms.append(torch.cat(grads).norm().item())

    def training_step(self, xb, yb):
        loss = self.criterion(self.model(xb), yb)
        loss.backward()
        self.record_grad_norm()
        self.opt.zero_grad()
        return loss.item()

    def fit(self, train, val):
        x, y = train
        for epoch in range(self.cfg.epochs):
            self.model.train()
            losses = []
            for idx in torch.randperm(len(x)).split(self.cfg.batch):
                losses.append(self.training_step(x[idx], y[idx]))
                self.opt.step()
            if epoch % self.cfg.log_every == 0 or epoch == self.cfg.epochs - 1:
                mean_norm = sum(self.grad_norms) / len(self.grad_norms)
                self.grad_norms.clear()
                print(f"epoch {epoch:3d} train {sum(losses) / len(losses):.4f} "
                      f"val_r2 {self.r2(*val):.3f} |g| {mean_norm:.3f}")

    @torch.no_grad()
    def r2(self, x, y):
        self.model.eval()
        return (1 - ((self.model(x) - y) ** 2).sum() / ((y - y.mean()) ** 2).sum()).item()


if __name__ == "__main__":
    cfg = Config()
    torch.manual_seed(cfg.seed)
    train, val = load(cfg)
    trainer = Trainer(Regressor(train[0].shape[1], cfg.hidden), cfg)
    trainer.fit(train, val)
