"""DeepSurv-style hazard model, continued from the multi-centre registry weights."""
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn


@dataclass
class Plan:
    table: str = "cohort.csv"
    init: str = "registry.pth"
    seed: int = 31
    iterations: int = 400
    batch: int = 192
    lr: float = 1e-3
    decay: float = 3e-2


class RiskNet(nn.Module):
    def __init__(self, covariates):
        super().__init__()
        self.fc1 = nn.Linear(covariates, 64)
        self.fc2 = nn.Linear(64, 48)
        self.fc3 = nn.Linear(48, 24)
        self.risk = nn.Linear(24, 1, bias=False)

    def forward(self, x):
        h = torch.relu(self.fc1(x))
        h = torch.relu(self.fc2(h))
        h = torch.relu(self.fc3(h))
        return self.risk(h).squeeze(1)


def partial_likelihood(risk, time, event):
    """Negative Cox log partial likelihood (Breslow), averaged over the observed events."""
    order = torch.argsort(time, descending=True)
    risk, event = risk[order], event[order]
    return -((risk - torch.logcumsumexp(risk, 0)) * event).sum() / event.sum().clamp(min=1)


def concordance(risk, time, event):
    earlier = (time[:, None] < time[None, :]) & (event[:, None] > 0)
    better = (risk[:, None] > risk[None, :]).float() + 0.5 * (risk[:, None] == risk[None, :]).float()
    return (better * earlier).sum().item() / earlier.sum().item()


def main(plan=Plan()):
    torch.manual_seed(plan.seed)
    table = np.loadtxt(plan.table, delimiter=",", skiprows=1, dtype=np.float32)
    x, time, event = (torch.from_numpy(a.copy()) for a in (table[:, 2:], table[:, 0], table[:, 1]))
    fit = torch.zeros(len(x), dtype=torch.bool)
    fit[torch.randperm(len(x))[: int(0.75 * len(x))]] = True
    x = (x - x[fit].mean(0)) / x[fit].std(0)

    net = RiskNet(x.shape[1])
    net.load_state_dict(torch.load(plan.init, weights_only=True))
    opt = torch.optim.AdamW(net.parameters(), lr=plan.lr, weight_decay=plan.decay)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, plan.iterations)

    rows = fit.nonzero().squeeze(1)
    avg = None
    for it in range(plan.iterations):
        pick = rows[torch.randint(len(rows), (plan.batch,))]
        loss = partial_likelihood(net(x[pick]), time[pick], event[pick])
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        avg = loss.item() if avg is None else 0.98 * avg + 0.02 * loss.item()
        if it % 50 == 49:
            net.eval()
            with torch.no_grad():
                r = net(x)
            held = ~fit
            print(f"it {it + 1} loss {avg:.4f} | held-out pl {partial_likelihood(r[held], time[held], event[held]):.4f}"
                  f" c-index {concordance(r[held], time[held], event[held]):.4f}"
                  f" (fit {concordance(r[fit], time[fit], event[fit]):.4f})")
            net.train()


if __name__ == "__main__":
    main()
