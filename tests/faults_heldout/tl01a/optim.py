import torch


class Adam:
    """Plain Adam on a list of tensors, bias-corrected."""

    def __init__(self, params, lr, b1=0.9, b2=0.999, eps=1e-8):
        self.params = list(params)
        self.lr, self.b1, self.b2, self.eps = lr, b1, b2, eps
        self.m = [torch.zeros_like(p) for p in self.params]
        self.v = [torch.zeros_like(p) for p in self.params]
        self.t = 0

    def clear(self):
        for p in self.params:
            p.grad = None

    @torch.no_grad()
    def update(self):
        self.t += 1
        c1 = 1 - self.b1 ** self.t
        c2 = 1 - self.b2 ** self.t
        for p, m, v in zip(self.params, self.m, self.v):
            m.mul_(self.b1).add_(p.grad, alpha=1 - self.b1)
            v.mul_(self.b2).addcmul_(p.grad, p.grad, value=1 - self.b2)
            p.data.addcdiv_(m / c1, (v / c2).sqrt_().add_(self.eps), value=-self.lr)


def cap_norm(params, limit):
    total = torch.sqrt(sum((p.grad ** 2).sum() for p in params))
    if total > limit:
        for p in params:
            p.grad.mul_(limit / total)
    return float(total)


def decayed(lr0, step, tau):
    return lr0 / (1.0 + step / tau)
