import torch
from torch import nn
import torch.nn.functional as F


class ConvBlock(nn.Module):
    def __init__(self, ch, kernel, dilation, drop):
        super().__init__()
        self.conv = nn.Conv1d(ch, ch, kernel, padding="same", dilation=dilation)
        self.mix = nn.Conv1d(ch, ch, 1)
        self.drop = nn.Dropout(drop)

    def forward(self, x):
        h = F.gelu(self.conv(x))
        return x + self.drop(self.mix(h))


class CharTCN(nn.Module):
    def __init__(self, vocab, ch=48, kernel=3, dilations=(1, 2, 4, 8), drop=0.1):
        super().__init__()
        self.emb = nn.Embedding(vocab, ch)
        self.blocks = nn.ModuleList(ConvBlock(ch, kernel, d, drop) for d in dilations)
        self.out = nn.Linear(ch, vocab)

    def forward(self, ids):
        h = self.emb(ids).transpose(1, 2)
        for b in self.blocks:
            h = b(h)
        return self.out(h.transpose(1, 2))

    @torch.no_grad()
    def continue_text(self, ids, n):
        ids = ids.clone()
        for _ in range(n):
            nxt = self(ids[None, -160:])[0, -1].argmax()
            ids = torch.cat([ids, nxt[None]])
        return ids
