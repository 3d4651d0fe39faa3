import torch


class Lion:
    """Sign-momentum update with decoupled decay; state is a plain dict."""

    def __init__(self, named, lr=1e-4, betas=(0.9, 0.99), wd=0.0, fast=()):
        self.named = dict(named)
        self.rate = {k: 10.0 if k.startswith(tuple(fast)) else 1.0 for k in self.named}
        self.lr, self.betas, self.wd = lr, betas, wd
        self.m = {k: torch.zeros_like(p) for k, p in self.named.items()}

    @torch.no_grad()
    def apply(self):
        b1, b2 = self.betas
        for k, p in self.named.items():
            if p.grad is None:
                continue
            direction = (self.m[k] * b1 + p.grad * (1 - b1)).sign()
            if p.ndim > 1:
                p.mul_(1 - self.lr * self.wd)
            p.sub_(self.lr * self.rate[k] * direction)
            self.m[k].mul_(b2).add_(p.grad, alpha=1 - b2)

    def clear(self):
        for p in self.named.values():
            p.grad = None

    def state_dict(self):
        return {"m": {k: v.clone() for k, v in self.m.items()}, "lr": self.lr}

    def load_state_dict(self, sd):
        for k, v in sd["m"].items():
            self.m[k].copy_(v)
        self.lr = sd["lr"]
