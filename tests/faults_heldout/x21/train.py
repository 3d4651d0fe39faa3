"""Half-precision training of a patch transformer on digits (autocast with a gradient scaler)."""
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn


@dataclass
class Settings:
    dim: int = 32
    heads: int = 4
    layers: int = 2
    steps: int = 360
    batch: int = 32
    lr: float = 2e-3
    init_scale: float = 2.0 ** 32
    backoff: float = 0.98


class Block(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.n1, self.n2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.qkv, self.out = nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)
        self.mlp = nn.Sequential(nn.Linear(dim, 2 * dim), nn.GELU(), nn.Linear(2 * dim, dim))

    def forward(self, x):
        b, t, d = x.shape
        q, k, v = self.qkv(self.n1(x)).view(b, t, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4)
        att = ((q @ k.transpose(-1, -2)) / (d // self.heads) ** 0.5).softmax(-1)
        x = x + self.out((att @ v).transpose(1, 2).reshape(b, t, d))
        return x + self.mlp(self.n2(x))


class PatchTransformer(nn.Module):
    """The 8x8 image as sixteen 2x2 patches."""

    def __init__(self, s):
        super().__init__()
        self.embed = nn.Linear(4, s.dim)
        self.pos = nn.Parameter(0.1 * torch.randn(16, s.dim))
        self.blocks = nn.Sequential(*[Block(s.dim, s.heads) for _ in range(s.layers)])
        self.head = nn.Sequential(nn.LayerNorm(s.dim), nn.Linear(s.dim, 10))

    def forward(self, img):
        p = img.unfold(1, 2, 2).unfold(2, 2, 2).reshape(len(img), 16, 4)
        return self.head(self.blocks(self.embed(p) + self.pos).mean(1))


def data():
    d = load_digits()
    x = (torch.tensor(d.images, dtype=torch.float32) - 4.9) / 6.0
    y = torch.tensor(d.target)
    order = torch.randperm(len(x), generator=torch.Generator().manual_seed(0))
    return (x[order[:1400]], y[order[:1400]]), (x[order[1400:]], y[order[1400:]])


def main():
    s = Settings()
    torch.manual_seed(70)
    (x, y), (xt, yt) = data()
    net = PatchTransformer(s)
    opt = torch.optim.AdamW(net.parameters(), lr=s.lr, weight_decay=0.01)
    scaler = torch.amp.GradScaler("cpu", init_scale=s.init_scale, backoff_factor=s.backoff, growth_interval=1000)
    sums, order = [], torch.randperm(len(x))
    for step in range(1, s.steps + 1):
        if len(order) < s.batch:
            order = torch.randperm(len(x))
        idx, order = order[:s.batch], order[s.batch:]
        with torch.autocast("cpu", dtype=torch.float16):
            logits = net(x[idx])
        loss = F.cross_entropy(logits.float(), y[idx])
        opt.zero_grad(set_to_none=True)
        scaler.scale(loss).backward()
        scaler.step(opt)
        scaler.update()
        sums.append(loss.item())
        if step % 40 == 0:
            net.eval()
            with torch.no_grad():
                acc = (net(xt).argmax(1) == yt).float().mean().item()
            net.train()
            print(f"step {step:4d}  loss {sum(sums[-40:]) / 40:.4f}  test acc {acc:.4f}", flush=True)


if __name__ == "__main__":
    main()
