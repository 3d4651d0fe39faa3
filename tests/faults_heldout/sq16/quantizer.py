import torch
from torch import nn


class Codebook(nn.Module):
    """Nearest-code quantiser; the codes follow the encoder by moving averages, not by gradient."""

    def __init__(self, n_codes, dim, decay=0.97):
        super().__init__()
        self.decay = decay
        self.register_buffer("codes", torch.randn(n_codes, dim))
        self.register_buffer("size", torch.ones(n_codes))
        self.register_buffer("total", self.codes.clone())
        self.register_buffer("ready", torch.tensor(False))

    @torch.no_grad()
    def _follow(self, z, idx):
        if not self.ready:
            self.codes.copy_(z[torch.randint(len(z), (len(self.codes),))])
            self.total.copy_(self.codes)
            self.ready.fill_(True)
            return
        onehot = nn.functional.one_hot(idx, len(self.codes)).float()
        self.size.lerp_(onehot.sum(0), 1 - self.decay)
        self.total.lerp_(onehot.t() @ z, 1 - self.decay)
        self.codes.copy_(self.total / self.size.clamp_min(1e-3)[:, None])
        dead = self.size < 0.05
        if dead.any():                     # give unused codes a fresh place
            fresh = z[torch.randint(len(z), (int(dead.sum()),))]
            self.codes[dead] = fresh
            self.total[dead] = fresh
            self.size[dead] = 1.0

    def forward(self, z):
        flat = z.reshape(-1, z.shape[-1])
        idx = torch.cdist(flat, self.codes).argmin(1)
        q = self.codes[idx].view_as(z)
        commit = ((z - q.detach()) ** 2).mean()
        if self.training:
            self._follow(flat.detach(), idx)
        return z + (q - z).detach(), idx, commit      # straight-through


def perplexity(idx, n):
    p = torch.bincount(idx, minlength=n).float()
    p = p / p.sum()
    return torch.exp(-(p[p > 0] * p[p > 0].log()).sum()).item()
