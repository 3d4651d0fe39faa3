import logging
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F

from data import kfold, load, standardise
from model import TabNet

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
log = logging.getLogger("cv")


@dataclass
class Config:
    folds: int = 4
    epochs: int = 25
    batch: int = 64
    lr: float = 1e-3
    weight_decay: float = 1e-2
    seed: int = 5


class CrossValidation:
    def __init__(self, cfg):
        self.cfg = cfg
        self.x, self.y = load()
        self.gen = torch.Generator().manual_seed(cfg.seed)
        self.net = TabNet(self.x.shape[1])
        log.info("model has %d parameters", sum(p.numel() for p in self.net.parameters()))
        self.opt = torch.optim.AdamW(self.net.parameters(), lr=cfg.lr, weight_decay=cfg.weight_decay)

    def reset(self):
        """Every fold starts from fresh weights."""
        self.net = TabNet(self.x.shape[1])
        for group in self.opt.param_groups:
            group["lr"] = self.cfg.lr
        self.opt.state.clear()

    def epoch(self, x, y):
        self.net.train()
        total = 0.0
        for idx in torch.randperm(len(x), generator=self.gen).split(self.cfg.batch):
            self.opt.zero_grad()
            loss = F.cross_entropy(self.net(x[idx]), y[idx])
            loss.backward()
            self.opt.step()
            total += loss.item() * len(idx)
        return total / len(x)

    @torch.no_grad()
    def accuracy(self, x, y):
        self.net.eval()
        return (self.net(x).argmax(1) == y).float().mean().item()

    def run(self):
        scores = []
        for fold, (tr, te) in enumerate(kfold(len(self.x), self.cfg.folds, self.cfg.seed)):
            self.reset()
            xtr, xte = standardise(self.x[tr], self.x[te])
            ytr, yte = torch.from_numpy(self.y[tr]), torch.from_numpy(self.y[te])
            for ep in range(self.cfg.epochs):
                loss = self.epoch(xtr, ytr)
                if ep % 8 == 0:
                    log.info("fold %d epoch %2d loss %.4f", fold, ep, loss)
            scores.append(self.accuracy(xte, yte))
            log.info("fold %d held-out accuracy %.4f", fold, scores[-1])
        log.info("mean accuracy over %d folds: %.4f +- %.4f", len(scores), np.mean(scores), np.std(scores))


if __name__ == "__main__":
    torch.manual_seed(5)
    CrossValidation(Config()).run()
