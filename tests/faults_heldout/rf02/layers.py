import torch
from torch import nn


class RelationConv(nn.Module):
    """Mean aggregation with one transform per relation."""

    def __init__(self, d_in, d_out, relations):
        super().__init__()
        self.relations = tuple(relations)
        self.transform = {r: nn.Linear(d_in, d_out, bias=False) for r in self.relations}
        self.norm = nn.LayerNorm(d_out)

    def forward(self, x, edges):
        out = x.new_zeros(x.shape[0], self.norm.normalized_shape[0])
        for r in self.relations:
            src, dst = edges[r]
            msg = self.transform[r](x)[src]
            deg = torch.bincount(dst, minlength=x.shape[0]).clamp(min=1).to(x.dtype)
            agg = torch.zeros_like(out).index_add_(0, dst, msg)
            out = out + agg / deg.unsqueeze(1)
        return self.norm(out)


class RelGraphNet(nn.Module):
    def __init__(self, d_in, d_hid, n_out, relations, dropout=0.4):
        super().__init__()
        self.gather = RelationConv(d_in, d_hid, relations)
        self.own = nn.Linear(d_in, d_hid)
        self.drop = nn.Dropout(dropout)
        self.readout = nn.Linear(2 * d_hid, n_out)

    def forward(self, x, edges):
        h = torch.cat([self.gather(x, edges), self.own(x)], dim=-1)
        return self.readout(self.drop(torch.relu(h)))
