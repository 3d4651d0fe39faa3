import torch
import torch.nn as nn


class TopKMixture(nn.Module):
    """Sparse mixture: every row goes to its k best experts; returns the load-balancing term as well."""

    def __init__(self, d_in, d_out, n_experts=6, k=2, hidden=32):
        super().__init__()
        self.gate = nn.Linear(d_in, n_experts, bias=False)
        self.experts = nn.ModuleList(
            nn.Sequential(nn.Linear(d_in, hidden), nn.GELU(), nn.Linear(hidden, d_out)) for _ in range(n_experts))
        self.k = k

    def forward(self, x):
        prob = self.gate(x).float().softmax(-1)
        top, index = prob.topk(self.k, dim=-1)
        weight = top / top.sum(-1, keepdim=True)
        out = None
        for e, expert in enumerate(self.experts):
            row, slot = (index == e).nonzero(as_tuple=True)
            y = expert(x[row]).float() * weight[row, slot, None]
            if out is None:
                out = y.new_zeros(len(x), y.size(1))
            out = out.index_add(0, row, y)
        used = torch.zeros_like(prob).scatter(1, index, 1.0).mean(0)       # share of rows per expert
        balance = len(self.experts) / self.k * (used * prob.mean(0)).sum()
        return out, balance, used


class FlatModel(nn.Module):
    def __init__(self, d_in, d=32):
        super().__init__()
        self.stem = nn.Sequential(nn.Linear(d_in, d), nn.GELU())
        self.mix = TopKMixture(d, d)
        self.norm = nn.LayerNorm(d)
        self.price = nn.Linear(d, 1)
        self.sold = nn.Linear(d, 1)
        self.log_var = nn.Parameter(torch.zeros(2))          # task uncertainties

    def forward(self, x):
        h = self.stem(x)
        m, balance, used = self.mix(h)
        h = self.norm(h.float() + m)
        return self.price(h).squeeze(-1).float(), self.sold(h).squeeze(-1).float(), balance, used

    def combine(self, price_mse, sold_bce):
        """Learned task weights (the sum may become negative)."""
        s = self.log_var
        return 0.5 * (torch.exp(-s[0]) * price_mse + s[0]) + torch.exp(-s[1]) * sold_bce + 0.5 * s[1]
