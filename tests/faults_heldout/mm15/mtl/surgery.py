import torch


def flat_grads(loss, params):
    g = torch.autograd.grad(loss, params, retain_graph=True, allow_unused=True)
    return torch.cat([torch.zeros_like(p).reshape(-1) if v is None else v.reshape(-1) for v, p in zip(g, params)])


def project_conflicts(grads, generator):
    """PCGrad: every task gradient loses its component against the others it conflicts with."""
    out, clashes = [], 0
    for i, g in enumerate(grads):
        g = g.clone()
        for j in torch.randperm(len(grads), generator=generator).tolist():
            if j == i:
                continue
            dot = g @ grads[j]
            if dot < 0:
                g -= dot / grads[j].norm().square().clamp_min(1e-12) * grads[j]
                clashes += 1
        out.append(g)
    return torch.stack(out).sum(0), clashes


class HandSGD:
    """Heavy-ball update on one flat vector."""

    def __init__(self, params, lr, momentum):
        self.params, self.lr, self.mu = params, lr, momentum
        self.buf = torch.zeros(sum(p.numel() for p in params))

    @torch.no_grad()
    def apply(self, flat):
        self.buf = self.mu * self.buf + flat
        at = 0
        for p in self.params:
            n = p.numel()
            p -= self.lr * self.buf[at:at + n].view_as(p)
            at += n
