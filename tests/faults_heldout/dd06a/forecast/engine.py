import logging

import torch
import torch.nn.functional as F

log = logging.getLogger("forecast")


class Engine:
    def __init__(self, cfg, model):
        self.cfg, self.model = cfg, model
        self.opt = torch.optim.Adam(model.parameters(), lr=cfg.lr)
        self.sched = torch.optim.lr_scheduler.ExponentialLR(self.opt, 0.85)

    def train_epoch(self, loader):
        self.model.train()
        total = 0.0
        for x, y in loader:
            self.opt.zero_grad()
            loss = F.mse_loss(self.model(x), y)
            loss.backward()
            self.opt.step()
            total += loss.item() * len(y)
        self.sched.step()
        return total / len(loader.dataset)

    @torch.no_grad()
    def score(self, loader):
        self.model.eval()
        pred = torch.cat([self.model(x) for x, _ in loader])
        true = torch.cat([y for _, y in loader])
        r2 = 1 - ((pred - true) ** 2).sum() / ((true - true.mean()) ** 2).sum()
        return {"rmse": F.mse_loss(pred, true).sqrt().item(), "r2": r2.item()}

    def run(self, train, hold):
        for epoch in range(self.cfg.epochs):
            tl = self.train_epoch(train)
            s = self.score(hold)
            log.info("epoch=%d train_mse=%.4g holdout_rmse=%.4g holdout_r2=%.3f", epoch, tl, s["rmse"], s["r2"])
        return s
