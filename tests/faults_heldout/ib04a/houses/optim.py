"""SGD with adaptive gradient clipping (Brock et al., 2021)."""
import torch


def unitwise_norm(t):
    if t.dim() <= 1:
        return t.norm()
    return t.norm(dim=1, keepdim=True)


class AGCSGD(torch.optim.SGD):
    def __init__(self, params, lr, momentum, weight_decay, clipping, eps=1e-3):
        super().__init__(params, lr=lr, momentum=momentum, weight_decay=weight_decay, nesterov=True)
        self.clipping = clipping
        self.eps = eps

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                limit = unitwise_norm(p).clamp(min=self.eps) * self.clipping
                g = unitwise_norm(p.grad)
                scale = (limit / g.clamp(min=1e-6)).clamp(max=1.0)
                p.grad.mul_(scale)
        return super().step(closure)
