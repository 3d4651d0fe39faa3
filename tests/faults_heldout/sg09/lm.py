import torch
from torch import nn


class CausalConv(nn.Module):
    def __init__(self, width, kernel, dilation, drop):
        super().__init__()
        self.pad = (kernel - 1) * dilation
        self.conv = nn.Conv1d(width, 2 * width, kernel, dilation=dilation)
        self.norm = nn.LayerNorm(width)
        self.drop = nn.Dropout(drop)

    def forward(self, x):
        h = self.norm(x).transpose(1, 2)
        h = self.conv(nn.functional.pad(h, (self.pad, 0)))
        h = nn.functional.glu(h, dim=1).transpose(1, 2)
        return x + self.drop(h)


class ConvLM(nn.Module):
    def __init__(self, vocab, width=64, kernel=4, dilations=(1, 2, 4), drop=0.15):
        super().__init__()
        self.embed = nn.Embedding(vocab, width)
        self.layers = nn.ModuleList(CausalConv(width, kernel, d, drop) for d in dilations)
        self.norm = nn.LayerNorm(width)
        self.out = nn.Linear(width, vocab)

    def forward(self, ids):
        h = self.embed(ids)
        for layer in self.layers:
            h = layer(h)
        return self.out(self.norm(h))

    @torch.no_grad()
    def sample(self, ids, n, context):
        for _ in range(n):
            logits = self(ids[:, -context:])[:, -1]
            ids = torch.cat([ids, torch.multinomial(logits.softmax(-1), 1)], dim=1)
        return ids
