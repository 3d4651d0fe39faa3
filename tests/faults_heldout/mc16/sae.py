import torch
from torch import nn
import torch.nn.functional as F


class SparseCoder(nn.Module):
    """x -> relu(Wx + b - theta) -> dictionary; theta keeps weak responses out of the code."""

    def __init__(self, d_in, n_atoms, theta):
        super().__init__()
        self.theta = theta
        self.encode_w = nn.Parameter(torch.empty(n_atoms, d_in))
        self.encode_b = nn.Parameter(torch.zeros(n_atoms))
        self.atoms = nn.Parameter(torch.empty(d_in, n_atoms))
        self.offset = nn.Parameter(torch.zeros(d_in))
        nn.init.xavier_normal_(self.encode_w)
        with torch.no_grad():
            self.atoms.copy_(self.encode_w.t() / self.encode_w.norm(dim=1))

    def forward(self, x):
        z = F.relu(F.linear(x - self.offset, self.encode_w, self.encode_b) - self.theta)
        return z, z @ self.atoms.t() + self.offset
