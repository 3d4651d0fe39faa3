import torch
import torch.nn as nn
import torch.nn.functional as F


class Codebook(nn.Module):
    """Vector quantiser; the codes are running means of what is assigned to them."""

    def __init__(self, n_codes, dim, decay=0.97, eps=1e-5):
        super().__init__()
        self.decay, self.eps = decay, eps
        codes = torch.randn(n_codes, dim)
        self.register_buffer("codes", codes)
        self.register_buffer("count", torch.ones(n_codes))
        self.register_buffer("total", codes.clone())
        self.register_buffer("ready", torch.tensor(False))

    @torch.no_grad()
    def _init_from(self, flat):
        pick = flat[torch.randperm(len(flat))[: len(self.codes)]]
        self.codes.copy_(pick)
        self.total.copy_(pick)
        self.ready.fill_(True)

    @torch.no_grad()
    def _update(self, flat, onehot):
        self.count.lerp_(onehot.sum(0), 1 - self.decay)
        self.total.lerp_(onehot.t() @ flat, 1 - self.decay)
        n = self.count.sum()
        smooth = (self.count + self.eps) / (n + len(self.count) * self.eps) * n
        self.codes.copy_(self.total / smooth[:, None])
        # codes that nobody uses move to a random encoding
        idle = self.count < 0.5
        if idle.any():
            pick = flat[torch.randint(len(flat), (int(idle.sum()),))]
            self.codes[idle] = pick
            self.total[idle] = pick
            self.count[idle] = 1.0

    def forward(self, z):
        flat = z.reshape(-1, z.shape[-1])
        if self.training and not self.ready:
            self._init_from(flat)
        idx = torch.cdist(flat.detach(), self.codes).argmin(1)
        onehot = F.one_hot(idx, len(self.codes)).float()
        q = self.codes[idx].view_as(z)
        if self.training:
            self._update(flat.detach(), onehot)
        commit = F.mse_loss(z, q)
        p = onehot.mean(0)
        perplexity = torch.exp(-(p * (p + 1e-10).log()).sum())
        return z + (q - z).detach(), commit, perplexity
