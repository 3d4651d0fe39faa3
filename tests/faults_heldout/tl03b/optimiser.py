import torch
from torch.optim import Optimizer


class Adam(Optimizer):
    """Own Adam; decay is decoupled and skips vectors."""

    def __init__(self, params, lr, betas=(0.9, 0.98), eps=1e-9, decay=0.0):
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps, decay=decay))

    @torch.no_grad()
    def step(self, closure=None):
        for g in self.param_groups:
            b1, b2 = g["betas"]
            for p in g["params"]:
                if p.grad is None:
                    continue
                s = self.state[p]
                if not s:
                    s.update(n=0, m=torch.zeros_like(p), v=torch.zeros_like(p))
                s["n"] += 1
                s["m"].lerp_(p.grad, 1 - b1)
                s["v"].mul_(b2).addcmul_(p.grad, p.grad, value=1 - b2)
                if g["decay"] and p.dim() > 1:
                    p.mul_(1 - g["lr"] * g["decay"])
                denom = (s["v"] / (1 - b2 ** s["n"])).sqrt_().add_(g["eps"])
                p.addcdiv_(s["m"], denom, value=-g["lr"] / (1 - b1 ** s["n"]))


def set_rate(optimizer, peak, step, warm, total):
    """linear rise over `warm` steps, then linear decline to 5 %"""
    if step < warm:
        lr = peak * (step + 1) / warm
    else:
        lr = peak * (1 - 0.95 * (step - warm) / max(1, total - warm))
    for g in optimizer.param_groups:
        g["lr"] = lr
    return lr
