import torch
from torch.nn import functional as F
from torch.optim.lr_scheduler import ExponentialLR


class Engine:
    def __init__(self, model, optim, scheduler):
        self.model = model
        self.opt = torch.optim.AdamW(model.parameters(), lr=optim["lr"], weight_decay=optim["weight_decay"])
        self.sched = ExponentialLR(self.opt, gamma=scheduler["gamma"])
        self.interval = scheduler["interval"]

    def train_epoch(self, loader):
        self.model.train()
        sse = n = 0
        for ids, stars in loader:
            loss = F.mse_loss(self.model(ids), stars)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            if self.interval == "step":
                self.sched.step()
            sse += loss.item() * len(stars)
            n += len(stars)
        if self.interval == "epoch":
            self.sched.step()
        return (sse / n) ** 0.5

    @torch.no_grad()
    def rmse(self, loader):
        self.model.eval()
        err = torch.cat([self.model(ids) - stars for ids, stars in loader])
        return err.pow(2).mean().sqrt().item()
