import torch
from torch import nn


class _Nearest(torch.autograd.Function):
    @staticmethod
    def forward(ctx, z, codebook):
        d = (z * z).sum(1, keepdim=True) - 2 * z @ codebook.T + (codebook * codebook).sum(1)
        idx = d.argmin(1)
        ctx.mark_non_differentiable(idx)
        return codebook[idx], idx

    @staticmethod
    def backward(ctx, g_out, _):
        return g_out, None


class EMACodebook(nn.Module):
    def __init__(self, size, dim, decay=0.97):
        super().__init__()
        self.decay = decay
        self.register_buffer("codes", torch.randn(size, dim) * 0.5)
        self.register_buffer("count", torch.ones(size))
        self.register_buffer("total", self.codes.clone())

    def forward(self, z):
        q, idx = _Nearest.apply(z, self.codes)
        if self.training:
            self._update(z.detach(), idx)
        commit = (z - q.detach()).square().mean()
        return q, idx, commit

    @torch.no_grad()
    def _update(self, z, idx):
        one = nn.functional.one_hot(idx, len(self.codes)).to(z)
        self.count.mul_(self.decay).add_(one.sum(0), alpha=1 - self.decay)
        self.total.mul_(self.decay).add_(one.T @ z, alpha=1 - self.decay)
        idle = self.count < 0.5
        if idle.any():
            pick = z[torch.randint(len(z), (int(idle.sum()),))]
            self.total[idle] = pick
            self.count[idle] = 1.0
        self.codes.copy_(self.total / self.count[:, None])

    def perplexity(self, idx):
        p = torch.bincount(idx, minlength=len(self.codes)).float() / len(idx)
        return torch.exp(-(p * (p + 1e-9).log()).sum()).item()
