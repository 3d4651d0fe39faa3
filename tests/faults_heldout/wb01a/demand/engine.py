import logging
import time

import torch
from torch import nn

log = logging.getLogger("demand")


class Trainer:
    def __init__(self, model, loaders, cfg):
        self.model = model
        self.train_loader, self.valid_loader = loaders
        self.epochs = cfg["epochs"]
        self.criterion = nn.SmoothL1Loss()
        self.optimizer = torch.optim.AdamW(
            model.parameters(), lr=cfg["lr"], weight_decay=cfg["weight_decay"])
        self.scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(
            self.optimizer, self.epochs * len(self.train_loader), eta_min=cfg["lr"] * 0.05)

    def train_epoch(self):
        self.model.train()
        total, count = 0.0, 0
        for past, future in self.train_loader:
            self.optimizer.zero_grad()
            loss = self.criterion(self.model(past), future)
            loss.backward()
            self.optimizer.step()
            self.scheduler.step()
            total += loss.item() * len(past)
            count += len(past)
        return total / count

    @torch.no_grad()
    def evaluate(self):
        self.model.eval()
        err, var, n = 0.0, 0.0, 0
        for past, future in self.valid_loader:
            pred = self.model(past)
            err += (pred - future).abs().sum().item()
            var += (past[:, 0, -24:].repeat(1, future.shape[1] // 24) - future).abs().sum().item()
            n += future.numel()
        return err / n, var / n

    def run(self):
        for epoch in range(1, self.epochs + 1):
            t = time.perf_counter()
            loss = self.train_epoch()
            mae, naive = self.evaluate()
            log.info("epoch %2d/%d  loss %.4f  valid MAE %.4f (same hour yesterday %.4f)  %.1fs",
                     epoch, self.epochs, loss, mae, naive, time.perf_counter() - t)
        return mae
