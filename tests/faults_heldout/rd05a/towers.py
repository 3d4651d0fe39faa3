import math

import torch
from torch import nn
import torch.nn.functional as F


class ImageTower(nn.Module):
    def __init__(self, n_in, dim):
        super().__init__()
        self.mlp = nn.Sequential(nn.Linear(n_in, 128), nn.GELU(), nn.Linear(128, dim))

    def forward(self, x):
        return F.normalize(self.mlp(x), dim=-1)


class TextTower(nn.Module):
    def __init__(self, vocab, dim):
        super().__init__()
        self.emb = nn.Embedding(vocab, 64, padding_idx=0)
        self.mlp = nn.Sequential(nn.Linear(64, 128), nn.GELU(), nn.Linear(128, dim))

    def forward(self, tokens):
        mask = (tokens != 0).unsqueeze(-1)
        mean = (self.emb(tokens) * mask).sum(1) / mask.sum(1)
        return F.normalize(self.mlp(mean), dim=-1)


class DualEncoder(nn.Module):
    def __init__(self, n_in, vocab, dim=32):
        super().__init__()
        self.image = ImageTower(n_in, dim)
        self.text = TextTower(vocab, dim)
        self.log_scale = nn.Parameter(torch.tensor(math.log(10.0)))

    def forward(self, images, tokens):
        return self.log_scale.exp().clamp(max=50.0) * self.image(images) @ self.text(tokens).T
