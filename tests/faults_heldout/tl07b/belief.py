import torch
from torch.optim import Optimizer


class Belief(Optimizer):
    """AdaBelief: second moment of the gradient's deviation from its running mean."""

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-10):
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps))

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            b1, b2 = group["betas"]
            for p in group["params"]:
                if p.grad is None:
                    continue
                st = self.state[p]
                if not st:
                    st["k"], st["m"], st["s"] = 0, torch.zeros_like(p), torch.zeros_like(p)
                st["k"] += 1
                st["m"].mul_(b1).add_(p.grad, alpha=1 - b1)
                dev = p.grad - st["m"]
                st["s"].mul_(b2).addcmul_(dev, dev, value=1 - b2).add_(group["eps"])
                m_hat = st["m"] / (1 - b1 ** st["k"])
                s_hat = st["s"] / (1 - b2 ** st["k"])
                p.addcdiv_(m_hat, s_hat.sqrt().add_(1e-8), value=-group["lr"])
