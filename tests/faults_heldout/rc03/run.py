from dataclasses import dataclass

import torch
import torch.nn.functional as F

from tones.data import make_loaders
from tones.model import ToneNet


@dataclass
class Config:
    path: str = "clips.npz"
    win: int = 64
    hop: int = 32
    preemph: float = 0.97
    val_fraction: float = 0.25
    split_seed: int = 5
    batch_size: int = 32
    lr: float = 1e-3
    epochs: int = 20


def validate(net, loader):
    net.eval()
    loss = hit = n = 0
    with torch.no_grad():
        for x, k in loader:
            out = net(x)
            loss += F.cross_entropy(out, k, reduction="sum").item()
            hit += (out.argmax(1) == k).sum().item()
            n += len(k)
    return loss / n, hit / n


def main(cfg):
    torch.manual_seed(0)
    train, val = make_loaders(cfg)
    x0, _ = next(iter(train))
    net = ToneNet(x0.shape[1], 4)
    net(x0)
    opt = torch.optim.AdamW(net.parameters(), lr=cfg.lr, weight_decay=1e-2)
    for ep in range(cfg.epochs):
        net.train()
        tot = hit = n = 0
        for x, k in train:
            out = net(x)
            loss = F.cross_entropy(out, k)
            opt.zero_grad()
            loss.backward()
            opt.step()
            tot += loss.item() * len(k)
            hit += (out.argmax(1) == k).sum().item()
            n += len(k)
        vl, va = validate(net, val)
        print(f"[{ep:02d}] train {tot / n:.3f}/{hit / n:.3f}   val {vl:.3f}/{va:.3f}")


if __name__ == "__main__":
    main(Config())
