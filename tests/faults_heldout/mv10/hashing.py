import torch
from torch import nn


class HashNet(nn.Module):
    """maps an image to `bits` codes in -1..1; beta sharpens the codes during training"""

    def __init__(self, d, bits):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(d, 128), nn.ReLU(), nn.Linear(128, bits))
        self.code = nn.Tanh()
        self.beta = 1.0

    def forward(self, x):
        return self.code(self.beta * self.body(x))


def pair_loss(code, label, margin=1.0):
    """likelihood of the similarity of all pairs in the batch (HashNet, Cao et al. 2017)"""
    k = code.shape[1]
    same = (label[:, None] == label[None, :]).float()
    theta = code @ code.t() * (8.0 / k)
    nll = torch.clamp(theta, min=0) + torch.log1p(torch.exp(-theta.abs())) - same * theta
    w = torch.where(same > 0, 1 / same.mean(), 1 / (1 - same.mean())) / 2
    off = 1 - torch.eye(len(code))
    return (w * nll * off).sum() / off.sum()


def mean_average_precision(q, ql, db, dl):
    dist = -(q @ db.t())
    rel = (dl[dist.argsort(1)] == ql[:, None]).float()
    prec = rel.cumsum(1) / torch.arange(1, rel.shape[1] + 1)
    return ((prec * rel).sum(1) / rel.sum(1)).mean().item()
