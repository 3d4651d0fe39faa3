import torch


class SAM(torch.optim.Optimizer):
    """Sharpness-aware minimisation around any base optimizer."""

    def __init__(self, params, base, rho=0.05, **kw):
        super().__init__(params, dict(rho=rho, **kw))
        self.base = base(self.param_groups, **kw)
        self.param_groups = self.base.param_groups

    @torch.no_grad()
    def ascend(self):
        norm = torch.stack([p.grad.norm() for g in self.param_groups for p in g["params"] if p.grad is not None]).norm()
        for g in self.param_groups:
            for p in g["params"]:
                if p.grad is None:
                    continue
                e = p.grad * (g["rho"] / (norm + 1e-12))
                p.add_(e)
                self.state[p]["eps"] = e
        self.zero_grad()

    @torch.no_grad()
    def descend(self):
        for g in self.param_groups:
            for p in g["params"]:
                if p.grad is not None:
                    p.sub_(self.state[p]["eps"])
        self.base.step()
        self.zero_grad()

    def step(self, closure=None):
        raise RuntimeError("use ascend() and descend()")
