import torch


class Lion(torch.optim.Optimizer):
    """Sign-of-momentum update (Chen et al. 2023)."""

    def __init__(self, params, lr=3e-4, betas=(0.9, 0.99), weight_decay=0.0):
        super().__init__(params, dict(lr=lr, betas=betas, weight_decay=weight_decay))

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            lr, (b1, b2), wd = group["lr"], group["betas"], group["weight_decay"]
            for p in group["params"]:
                if p.grad is None:
                    continue
                st = self.state[p]
                if not st:
                    st["m"] = torch.zeros_like(p)
                m = st["m"]
                p.mul_(1 - lr * wd)
                p.add_(torch.sign(m * b1 + p.grad * (1 - b1)), alpha=-lr)
                m.mul_(b2).add_(p.grad, alpha=1 - b2)
