import torch
from torch import nn
from torch.optim.lr_scheduler import ExponentialLR
from torch.utils.data import DataLoader


class Trainer:
    def __init__(self, model, train_set, test_set, cfg, scale):
        self.model, self.cfg, self.scale = model, cfg, scale
        self.train_loader = DataLoader(train_set, batch_size=cfg["batch_size"], shuffle=True)
        self.test_loader = DataLoader(test_set, batch_size=256)
        self.loss_fn = nn.SmoothL1Loss()
        self.optimizer = torch.optim.Adam(model.parameters(), lr=cfg["lr"])
        self.scheduler = ExponentialLR(self.optimizer, gamma=cfg["gamma"])

    def step(self, x, y):
        self.optimizer.zero_grad()
        loss = self.loss_fn(self.model(x), y)
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
        self.scheduler.step()
        return loss.item()

    def train_epoch(self):
        self.model.train()
        losses = [self.step(x, y) for x, y in self.train_loader]
        return sum(losses) / len(losses)

    @torch.no_grad()
    def test_mae(self):
        self.model.eval()
        err = [(self.model(x) - y).abs() for x, y in self.test_loader]
        return torch.cat(err).mean().item() * self.scale

    def fit(self):
        for epoch in range(1, self.cfg["epochs"] + 1):
            loss = self.train_epoch()
            print(f"epoch {epoch:2d}  train loss {loss:.4f}  test MAE {self.test_mae():.2f} MW")
