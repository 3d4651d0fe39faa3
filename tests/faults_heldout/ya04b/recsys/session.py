"""Construction and resumption of a training session."""
import torch
from torch.optim.lr_scheduler import LambdaLR

from recsys.model import Ranker


def linear_decay(warmup, total, floor=1e-3):
    def factor(step):
        if step < warmup:
            return (step + 1) / warmup
        return max(floor, (total - step) / (total - warmup))

    return factor


class Session:
    def __init__(self, cfg, n_users, n_items):
        self.model = Ranker(n_users, n_items, cfg.factors)
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=cfg.peak_lr, weight_decay=cfg.weight_decay)
        self.scheduler = LambdaLR(self.optimizer, linear_decay(cfg.warmup_steps, cfg.total_steps))
        self.epoch = 0

    def resume(self, path):
        saved = torch.load(path, map_location="cpu", weights_only=True)
        self.model.load_state_dict(saved["model"])
        self.optimizer.load_state_dict(saved["optimizer"])
        self.scheduler.load_state_dict(saved["scheduler"])
        return saved["tag"]

    def step(self, loss):
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.scheduler.step()
