from dataclasses import dataclass

import torch.nn as nn


@dataclass
class MixerConfig:
    patch: int = 2
    size: int = 8
    dim: int = 48
    depth: int = 3
    expand: int = 2
    classes: int = 10

    @property
    def tokens(self):
        return (self.size // self.patch) ** 2


class FeedForward(nn.Sequential):
    def __init__(self, dim, hidden):
        super().__init__(nn.Linear(dim, hidden), nn.GELU(), nn.Linear(hidden, dim))


class MixerBlock(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(c.dim), nn.LayerNorm(c.dim)
        self.tok = FeedForward(c.tokens, c.tokens * c.expand)
        self.chn = FeedForward(c.dim, c.dim * c.expand)

    def forward(self, x):
        x = x + self.tok(self.n1(x).transpose(1, 2)).transpose(1, 2)
        return x + self.chn(self.n2(x))


class Patchify(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.p = c.patch
        self.proj = nn.Linear(c.patch ** 2, c.dim)

    def forward(self, img):
        b, h, w = img.shape
        p = self.p
        x = img.view(b, h // p, p, w // p, p).permute(0, 1, 3, 2, 4).reshape(b, -1, p * p)
        return self.proj(x)


class Mixer(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.embed = Patchify(c)
        self.blocks = nn.Sequential(*[MixerBlock(c) for _ in range(c.depth)])
        self.norm = nn.LayerNorm(c.dim)
        self.head = nn.Linear(c.dim, c.classes)

    def forward(self, img):
        return self.head(self.norm(self.blocks(self.embed(img))).mean(1))


def build_mixer(cfg):
    return Mixer(cfg)
