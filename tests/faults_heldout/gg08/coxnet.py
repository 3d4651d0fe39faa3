from __future__ import annotations

import logging
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

log = logging.getLogger("coxnet")


@dataclass(frozen=True)
class Settings:
    table: str = "cohort.csv"
    hidden: tuple = (32, 16)
    dropout: float = 0.15
    lr: float = 3e-3
    weight_decay: float = 1e-3
    batch: int = 256
    epochs: int = 40
    seed: int = 2024


@dataclass
class Cohort:
    x: Tensor
    time: Tensor
    event: Tensor

    def __len__(self):
        return len(self.time)

    def subset(self, idx) -> "Cohort":
        return Cohort(self.x[idx], self.time[idx], self.event[idx])


@dataclass
class History:
    rows: list = field(default_factory=list)

    def add(self, **kw):
        self.rows.append(kw)
        log.info("  ".join(f"{k}={v:.4f}" if isinstance(v, float) else f"{k}={v}" for k, v in kw.items()))


def read(path: Path) -> Cohort:
    raw = np.genfromtxt(path, delimiter=",", names=True)
    crp = np.log(raw["crp"])
    stage = np.eye(4)[raw["stage"].astype(int) - 1]
    cols = [raw["age"], raw["bmi"], crp, raw["sbp"], raw["hb"], raw["ef"], raw["smoker"], *stage.T]
    f = lambda a: torch.tensor(np.asarray(a), dtype=torch.float32)
    return Cohort(f(np.stack(cols, 1)), f(raw["months"]), f(raw["event"]))


class RiskNet(nn.Sequential):
    def __init__(self, d_in: int, hidden, p: float):
        mods: list = []
        for h in hidden:
            mods += [nn.Linear(d_in, h), nn.BatchNorm1d(h), nn.ELU(), nn.Dropout(p)]
            d_in = h
        super().__init__(*mods, nn.Linear(d_in, 1, bias=False))

    def forward(self, x):
        return super().forward(x)[:, 0]


def neg_log_partial_likelihood(risk: Tensor, time: Tensor, event: Tensor) -> Tensor:
    order = torch.argsort(time, descending=True)
    r, e = risk[order], event[order]
    log_cum = torch.logcumsumexp(r, 0)
    return -((r - log_cum) * e).sum() / e.sum().clamp(min=1)


def concordance(risk: Tensor, time: Tensor, event: Tensor) -> float:
    earlier = (time[:, None] < time[None, :]) & (event[:, None] == 1)
    diff = risk[:, None] - risk[None, :]
    good = ((diff > 0).float() + 0.5 * (diff == 0).float())[earlier].sum()
    return (good / earlier.sum()).item()


@torch.no_grad()
def assess(net: nn.Module, c: Cohort):
    net.eval()
    r = net(c.x)
    return neg_log_partial_likelihood(r, c.time, c.event).item(), concordance(r, c.time, c.event)


def run(s: Settings) -> None:
    torch.manual_seed(s.seed)
    cohort = read(Path(__file__).parent / s.table)
    perm = torch.randperm(len(cohort))
    tr, va, te = (cohort.subset(i) for i in perm.split([1600, 400, 400]))
    mean, std = tr.x.mean(0), tr.x.std(0)
    for part in (tr, va, te):
        part.x = (part.x - mean) / std
    log.info("patients %d, events %.0f%%", len(cohort), 100 * cohort.event.mean())
    log.info("age alone: c-index %.3f", concordance(te.x[:, 0], te.time, te.event))

    net = RiskNet(tr.x.shape[1], s.hidden, s.dropout)
    opt = torch.optim.AdamW(net.parameters(), lr=s.lr, weight_decay=s.weight_decay)
    sched = torch.optim.lr_scheduler.MultiStepLR(opt, milestones=[20, 32], gamma=0.3)
    hist = History()
    for epoch in range(1, s.epochs + 1):
        net.train()
        total = 0.0
        batches = torch.randperm(len(tr)).split(s.batch)
        for b in batches:
            part = tr.subset(b)
            loss = neg_log_partial_likelihood(net(part.x), part.time, part.event)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item()
        sched.step()
        if epoch % 2 == 0:
            (tl, tc), (vl, vc) = assess(net, tr), assess(net, va)
            hist.add(epoch=epoch, batch_loss=total / len(batches), train_nll=tl, train_c=tc, val_nll=vl, val_c=vc)
    nll, c = assess(net, te)
    log.info("test nll %.4f  c-index %.4f", nll, c)


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    run(Settings())
