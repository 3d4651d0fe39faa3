import torch


class SharpnessAware:
    """Two-step optimizer: climb to the worst point within rho, take its gradient, step from the original point."""

    def __init__(self, base, rho=0.05):
        self.base, self.rho = base, rho
        self.backup = {}

    def params(self):
        return [p for g in self.base.param_groups for p in g["params"] if p.grad is not None]

    @torch.no_grad()
    def climb(self):
        ps = self.params()
        norm = torch.stack([p.grad.norm() for p in ps]).norm() + 1e-12
        for p in ps:
            e = p.grad * (self.rho / norm)
            p.add_(e)
            self.backup[p] = e
        self.base.zero_grad()

    @torch.no_grad()
    def descend(self):
        for p, e in self.backup.items():
            p.sub_(e)
        self.backup.clear()
        self.base.step()
        self.base.zero_grad()
