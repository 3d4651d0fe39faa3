"""Find the planted motif class in token sequences with a two-layer attention model; attention sharpness is monitored."""
import math
import time

import torch
import torch.nn.functional as F
from torch import nn

VOCAB, LENGTH, CLASSES = 20, 48, 6
BATCH, STEPS, REPORT = 32, 300, 25


class Attention(nn.Module):
    def __init__(self, d, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(d, 3 * d)
        self.out = nn.Linear(d, d)
        self.maps = nn.Identity()

    def forward(self, x):
        b, t, d = x.shape
        q, k, v = self.qkv(x).view(b, t, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4)
        weights = self.maps(F.softmax(q @ k.transpose(-2, -1) / math.sqrt(d // self.heads), dim=-1))
        return self.out((weights @ v).transpose(1, 2).reshape(b, t, d))


class Block(nn.Module):
    def __init__(self, d, heads):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.attn = Attention(d, heads)
        self.mlp = nn.Sequential(nn.Linear(d, 2 * d), nn.GELU(), nn.Linear(2 * d, d))

    def forward(self, x):
        x = x + self.attn(self.norm1(x))
        return x + self.mlp(self.norm2(x))


class MotifNet(nn.Module):
    def __init__(self, d=32, heads=4, layers=2):
        super().__init__()
        self.embed = nn.Embedding(VOCAB, d)
        self.mix = nn.Conv1d(d, d, 3, padding=1)
        self.blocks = nn.ModuleList(Block(d, heads) for _ in range(layers))
        self.head = nn.Linear(d, CLASSES)

    def forward(self, tokens):
        x = self.embed(tokens)
        x = x + F.gelu(self.mix(x.transpose(1, 2))).transpose(1, 2)
        for block in self.blocks:
            x = block(x)
        return self.head(x.amax(dim=1))


class AttentionMonitor:
    """Collects attention maps of every block and reports their mean entropy."""

    def __init__(self, model):
        self.records = {i: [] for i in range(len(model.blocks))}
        for i, block in enumerate(model.blocks):
            block.attn.maps.register_forward_hook(self._recorder(i))

    def _recorder(self, i):
        def hook(module, inputs, output):
            self.records[i].append(output.detach())
        return hook

    def entropy(self):
        latest = [maps[-1] for maps in self.records.values()]
        return [(-(m * m.clamp_min(1e-9).log()).sum(-1)).mean().item() for m in latest]


def sample(motifs, n, gen):
    y = torch.randint(CLASSES, (n,), generator=gen)
    x = torch.randint(VOCAB, (n, LENGTH), generator=gen)
    for _ in range(2):
        start = torch.randint(LENGTH - 3, (n,), generator=gen)
        x.scatter_(1, start[:, None] + torch.arange(3), motifs[y])
    return x, y


def main():
    torch.manual_seed(25)
    gen = torch.Generator().manual_seed(25)
    motifs = torch.randint(VOCAB, (CLASSES, 3), generator=gen)
    x_val, y_val = sample(motifs, 200, gen)
    model = MotifNet()
    monitor = AttentionMonitor(model)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    started = time.time()
    for step in range(1, STEPS + 1):
        x, y = sample(motifs, BATCH, gen)
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % REPORT == 0:
            sharpness = " ".join(f"{h:.2f}" for h in monitor.entropy())
            with torch.no_grad():
                acc = (model(x_val).argmax(1) == y_val).float().mean()
            print(f"{step:4d} loss {loss.item():.3f} val acc {acc:.3f} attention entropy {sharpness} ({time.time() - started:.1f}s)")


if __name__ == "__main__":
    main()
