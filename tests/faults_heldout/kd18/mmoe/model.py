import torch
from torch import nn


class MultiGate(nn.Module):
    """Multi-gate mixture of experts: shared experts, one gate and one tower per task."""

    TASKS = {"energy": 1, "wear": 1, "state": 3}

    def __init__(self, n_in, experts=4, width=48, tower=24, drop=0.0):
        super().__init__()
        self.experts = nn.ModuleList([nn.Sequential(nn.Linear(n_in, width), nn.SiLU(), nn.Dropout(drop),
                                                    nn.Linear(width, width), nn.SiLU(), nn.Dropout(drop)) for _ in range(experts)])
        self.gates = nn.ModuleDict({t: nn.Linear(n_in, experts) for t in self.TASKS})
        self.towers = nn.ModuleDict({t: nn.Sequential(nn.Linear(width, tower), nn.SiLU(), nn.Linear(tower, o)) for t, o in self.TASKS.items()})
        # log variance of every task (homoscedastic uncertainty)
        self.log_var = nn.ParameterDict({t: nn.Parameter(torch.zeros(())) for t in self.TASKS})

    def forward(self, x):
        e = torch.stack([m(x) for m in self.experts], 1)
        out = {}
        for t in self.TASKS:
            w = torch.softmax(self.gates[t](x), 1)
            y = self.towers[t]((w[:, :, None] * e).sum(1))
            out[t] = y.squeeze(1) if self.TASKS[t] == 1 else y
        return out
