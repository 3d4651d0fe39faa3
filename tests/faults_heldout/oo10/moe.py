import torch
import torch.nn as nn
import torch.nn.functional as F


class Expert(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.up, self.down = nn.Linear(d, h), nn.Linear(h, d)

    def forward(self, x):
        return self.down(F.gelu(self.up(x)))


class SparseMoE(nn.Module):
    """Top-k routed feed-forward layer with noisy gating and a load term."""

    def __init__(self, d, h, n_experts, k, jitter=0.3):
        super().__init__()
        self.experts = nn.ModuleList(Expert(d, h) for _ in range(n_experts))
        self.gate = nn.Linear(d, n_experts, bias=False)
        self.k, self.jitter = k, jitter
        self.load_loss = None
        self.register_buffer("usage", torch.zeros(n_experts))

    def forward(self, x):
        logits = self.gate(x)
        if self.training:
            logits = logits + self.jitter * torch.randn_like(logits)
        top, idx = logits.topk(self.k, dim=-1)
        w = top.softmax(-1)
        out = torch.zeros_like(x)
        for e, expert in enumerate(self.experts):
            rows, slot = (idx == e).nonzero(as_tuple=True)
            if rows.numel() == 0:
                continue
            out = out.index_add(0, rows, expert(x[rows]) * w[rows, slot].unsqueeze(1))
        share = F.one_hot(idx, len(self.experts)).float().mean((0, 1))
        prob = logits.softmax(-1).mean(0)
        self.load_loss = len(self.experts) * (share * prob).sum()
        if self.training:
            self.usage.mul_(0.98).add_(share.detach(), alpha=0.02)
        return out


class PlantModel(nn.Module):
    def __init__(self, n_in=8, d=32, h=32, n_experts=6, k=2):
        super().__init__()
        self.stem = nn.Linear(n_in, d)
        self.ln1, self.moe1 = nn.LayerNorm(d), SparseMoE(d, h, n_experts, k)
        self.ln2, self.moe2 = nn.LayerNorm(d), SparseMoE(d, h, n_experts, k)
        self.head = nn.Linear(d, 1)

    def forward(self, x):
        z = self.stem(x)
        z = z + self.moe1(self.ln1(z))
        z = z + self.moe2(self.ln2(z))
        return self.head(z).squeeze(-1)

    def load_loss(self):
        return self.moe1.load_loss + self.moe2.load_loss
