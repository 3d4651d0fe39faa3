import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.checkpoint import checkpoint


class SwitchFFN(nn.Module):
    """Top-1 routed feed-forward experts with the switch load-balancing term."""

    def __init__(self, d, hidden, experts, jitter=0.02):
        super().__init__()
        self.router = nn.Linear(d, experts, bias=False)
        self.experts = nn.ModuleList(
            nn.Sequential(nn.Linear(d, hidden), nn.GELU(), nn.Dropout(0.1), nn.Linear(hidden, d)) for _ in range(experts))
        self.jitter = jitter

    def forward(self, x):
        with torch.autocast("cpu", enabled=False):          # routing in full precision
            r = x.float()
            if self.training:
                r = r * torch.empty_like(r).uniform_(1 - self.jitter, 1 + self.jitter)
            probs = self.router(r).softmax(-1)
        gate, choice = probs.max(-1)
        out = torch.zeros_like(x)
        for e, expert in enumerate(self.experts):
            rows = (choice == e).nonzero(as_tuple=True)[0]
            if rows.numel():
                out = out.index_add(0, rows, (expert(x[rows]) * gate[rows, None]).to(out.dtype))
        share = F.one_hot(choice, len(self.experts)).float().mean(0)
        balance = len(self.experts) * (share * probs.mean(0)).sum()
        return out, balance, share.detach()


class MoEClassifier(nn.Module):
    def __init__(self, d_in, classes, d=48, hidden=64, experts=4, layers=2):
        super().__init__()
        self.inp = nn.Linear(d_in, d)
        self.norms = nn.ModuleList(nn.LayerNorm(d) for _ in range(layers))
        self.ffns = nn.ModuleList(SwitchFFN(d, hidden, experts) for _ in range(layers))
        self.head = nn.Sequential(nn.LayerNorm(d), nn.Linear(d, classes))

    def forward(self, x):
        h, aux, shares = self.inp(x), 0.0, []
        for norm, ffn in zip(self.norms, self.ffns):
            z = norm(h)
            out, bal, share = checkpoint(ffn, z, use_reentrant=False) if self.training else ffn(z)
            h = h + out
            aux = aux + bal
            shares.append(share)
        return self.head(h), aux / len(self.ffns), torch.stack(shares)
