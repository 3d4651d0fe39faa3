import torch
from torch import nn


class Layer(nn.Module):
    """Attention and feed-forward sub-layers, normalised after the residual sum."""

    def __init__(self, width, heads):
        super().__init__()
        self.attn = nn.MultiheadAttention(width, heads, batch_first=True)
        self.norm1 = nn.LayerNorm(width)
        self.ff = nn.Sequential(nn.Linear(width, 4 * width), nn.ReLU(), nn.Linear(4 * width, width))
        self.norm2 = nn.LayerNorm(width)

    def forward(self, x):
        a, _ = self.attn(x, x, x, need_weights=False)
        x = self.norm1(x + a)
        return self.norm2(x + self.ff(x))


class Encoder(nn.Module):
    def __init__(self, vocab, answers, length, width, heads, layers):
        super().__init__()
        self.token = nn.Embedding(vocab, width)
        self.place = nn.Embedding(length, width)
        self.layers = nn.ModuleList(Layer(width, heads) for _ in range(layers))
        self.answer = nn.Linear(width, answers)

    def forward(self, tokens):
        x = self.token(tokens) + self.place.weight[: tokens.shape[1]]
        for layer in self.layers:
            x = layer(x)
        return self.answer(x.mean(1))
