"""Learns the forward kinematics of the lab's three-joint arm from logged poses."""
import csv
from dataclasses import dataclass, field

import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader, Dataset, Subset


@dataclass
class Config:
    log: str = "arm_log.csv"
    inputs: tuple = ("shoulder", "elbow", "wrist")
    outputs: tuple = ("x", "y")
    widths: list = field(default_factory=lambda: [96, 96, 48])
    lr: float = 2e-3
    batch: int = 64
    epochs: int = 40
    n_test: int = 400


class ArmLog(Dataset):
    def __init__(self, cfg: Config):
        with open(cfg.log) as f:
            rows = list(csv.DictReader(f))
        self.q = torch.tensor([[float(r[k]) for k in cfg.inputs] for r in rows])
        self.p = torch.tensor([[float(r[k]) for k in cfg.outputs] for r in rows])

    def __len__(self):
        return len(self.q)

    def __getitem__(self, i):
        return self.q[i], self.p[i]


class ForwardModel(nn.Module):
    def __init__(self, n_in: int, n_out: int, widths: list):
        super().__init__()
        dims = [n_in] + list(widths)
        self.hidden = nn.ModuleList(nn.Linear(a, b) for a, b in zip(dims[:-1], dims[1:]))
        self.act = nn.GELU()
        self.readout = nn.Linear(dims[-1], n_out)

    def forward(self, q: Tensor) -> Tensor:
        h = q
        for layer in self.hidden:
            h = layer(h)
        return self.readout(h)


class Fit:
    def __init__(self, cfg: Config):
        torch.manual_seed(12)
        self.cfg = cfg
        data = ArmLog(cfg)
        order = torch.randperm(len(data)).tolist()
        self.test = Subset(data, order[:cfg.n_test])
        self.loader = DataLoader(Subset(data, order[cfg.n_test:]), cfg.batch, shuffle=True)
        self.model = ForwardModel(len(cfg.inputs), len(cfg.outputs), cfg.widths)
        self.opt = torch.optim.Adam(self.model.parameters(), lr=cfg.lr)
        self.sched = torch.optim.lr_scheduler.CosineAnnealingLR(self.opt, cfg.epochs)

    def epoch(self) -> float:
        self.model.train()
        total = 0.0
        for q, p in self.loader:
            loss = nn.functional.mse_loss(self.model(q), p)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            total += loss.item() * len(q)
        self.sched.step()
        return total / len(self.loader.dataset)

    @torch.no_grad()
    def tip_error_cm(self) -> float:
        self.model.eval()
        q, p = map(torch.stack, zip(*self.test))
        return 100 * (self.model(q) - p).norm(dim=1).mean().item()

    def run(self):
        for e in range(self.cfg.epochs):
            mse = self.epoch()
            if (e + 1) % 5 == 0:
                print(f"{e + 1:3d}  mse {mse:.6f}  tip error {self.tip_error_cm():.2f} cm")


if __name__ == "__main__":
    Fit(Config()).run()
