import copy

import torch


class EMA:
    def __init__(self, model, decay=0.98):
        self.module = copy.deepcopy(model).eval()
        for p in self.module.parameters():
            p.requires_grad_(False)
        self.decay, self.n = decay, 0

    @torch.no_grad()
    def update(self, model):
        self.n += 1
        d = min(self.decay, (1 + self.n) / (10 + self.n))
        for a, b in zip(self.module.state_dict().values(), model.state_dict().values()):
            if a.is_floating_point():
                a.mul_(d).add_(b, alpha=1 - d)
            else:
                a.copy_(b)


class EarlyStopping:
    def __init__(self, patience=8, min_delta=1e-4):
        self.patience, self.min_delta = patience, min_delta
        self.best, self.bad, self.state = float("inf"), 0, None

    def step(self, value, module):
        if value < self.best - self.min_delta:
            self.best, self.bad = value, 0
            self.state = {k: v.clone() for k, v in module.state_dict().items()}
        else:
            self.bad += 1
        return self.bad >= self.patience
