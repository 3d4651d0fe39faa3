import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from ..nn import build
from .kinematics import make_datasets


class Trainer:
    def __init__(self, spec):
        torch.manual_seed(spec.seed)
        self.spec = spec
        train, val, self.std = make_datasets(spec.data, torch.Generator().manual_seed(spec.seed))
        self.train_loader = DataLoader(train, spec.optim.batch, shuffle=True, drop_last=True)
        self.val_loader = DataLoader(val, 512)
        self.model = build(spec.model, len(spec.data.links), 2)
        self.opt = torch.optim.AdamW(self.model.parameters(), lr=spec.optim.lr, weight_decay=spec.optim.weight_decay)
        total = spec.optim.epochs * len(self.train_loader)
        self.sched = torch.optim.lr_scheduler.CosineAnnealingLR(self.opt, total)

    def fit(self):
        for epoch in range(self.spec.optim.epochs):
            self.model.train()
            run = 0.0
            for q, y in self.train_loader:
                self.opt.zero_grad()
                loss = F.mse_loss(self.model(q), y)
                loss.backward()
                self.opt.step()
                self.sched.step()
                run += loss.item()
            print(f"epoch {epoch:2d} train mse {run / len(self.train_loader):.5f} val rmse {self.rmse()[0]:.4f}", flush=True)

    @torch.no_grad()
    def rmse(self):
        self.model.eval()
        err, base = [], []
        for q, y in self.val_loader:
            err.append(((self.model(q) - y) * self.std).pow(2).sum(1))
            base.append((y * self.std).pow(2).sum(1))
        return torch.cat(err).mean().sqrt().item(), torch.cat(base).mean().sqrt().item()
