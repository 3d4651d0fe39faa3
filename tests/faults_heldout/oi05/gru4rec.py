import torch
import torch.nn as nn


class GRU4Rec(nn.Module):
    def __init__(self, n_items, dim=48):
        super().__init__()
        self.items = nn.Embedding(n_items + 1, dim, padding_idx=n_items)
        self.gru = nn.GRU(dim, dim, batch_first=True)
        self.bias = nn.Parameter(torch.zeros(n_items))
        self.proj = nn.Linear(dim, dim)
        nn.init.normal_(self.items.weight, std=0.3)
        with torch.no_grad():
            self.items.weight[n_items].zero_()

    def forward(self, hist):
        out, _ = self.gru(self.items(hist))
        q = self.proj(out[:, -1])
        return q @ self.items.weight[:-1].t() + self.bias
