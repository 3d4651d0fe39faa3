"""Deep residual MLP for a mixed categorical / numeric table."""
from dataclasses import dataclass, field
from typing import List

import numpy as np
import torch
import torch.nn as nn


@dataclass
class ModelCfg:
    cardinalities: List[int] = field(default_factory=lambda: [12, 7, 30, 4])
    n_numeric: int = 8
    width: int = 64
    expansion: int = 2
    depth: int = 20
    n_out: int = 3


@dataclass
class TrainCfg:
    lr: float = 1e-3
    batch: int = 128
    epochs: int = 6
    seed: int = 0


class ResidualBlock(nn.Module):
    def __init__(self, width, expansion):
        super().__init__()
        self.up = nn.Linear(width, expansion * width)
        self.down = nn.Linear(expansion * width, width)
        self.act = nn.ReLU()

    def forward(self, x):
        x = self.act(self.up(x))
        x = self.down(x)
        return x


class TabResMLP(nn.Module):
    def __init__(self, cfg: ModelCfg):
        super().__init__()
        d_emb = 8
        self.embeds = nn.ModuleList(nn.Embedding(c, d_emb) for c in cfg.cardinalities)
        self.stem = nn.Linear(d_emb * len(cfg.cardinalities) + cfg.n_numeric, cfg.width)
        self.blocks = nn.ModuleList(ResidualBlock(cfg.width, cfg.expansion) for _ in range(cfg.depth))
        self.norm = nn.LayerNorm(cfg.width)
        self.head = nn.Linear(cfg.width, cfg.n_out)

    def forward(self, cat, num):
        h = torch.cat([e(cat[:, i]) for i, e in enumerate(self.embeds)] + [num], 1)
        h = self.stem(h)
        for block in self.blocks:
            h = block(h)
        return self.head(torch.relu(self.norm(h)))


def make_table(cfg: ModelCfg, n, seed):
    rng = np.random.default_rng(seed)
    cat = np.stack([rng.integers(0, c, n) for c in cfg.cardinalities], 1)
    num = rng.normal(size=(n, cfg.n_numeric))
    effect = [rng.normal(0, 1.0, (c, cfg.n_out)) for c in cfg.cardinalities]
    w = rng.normal(0, 0.8, (cfg.n_numeric, cfg.n_out))
    score = num @ w + sum(e[cat[:, i]] for i, e in enumerate(effect))
    score[:, 0] += 1.5 * num[:, 0] * num[:, 1]
    score[:, 2] += 1.5 * np.abs(num[:, 2]) - 1.0
    y = (score + rng.gumbel(0, 0.3, score.shape)).argmax(1)
    return torch.from_numpy(cat), torch.from_numpy(num).float(), torch.from_numpy(y)


def main():
    mcfg, tcfg = ModelCfg(), TrainCfg()
    torch.manual_seed(tcfg.seed)
    cat, num, y = make_table(mcfg, 5000, tcfg.seed)
    n_tr = 4000
    model = TabResMLP(mcfg)
    print(f"{sum(p.numel() for p in model.parameters()):,} parameters, class shares "
          f"{(torch.bincount(y) / len(y)).tolist()}")
    opt = torch.optim.AdamW(model.parameters(), lr=tcfg.lr, weight_decay=1e-3)
    for epoch in range(tcfg.epochs):
        model.train()
        losses = []
        for b in torch.randperm(n_tr).split(tcfg.batch):
            loss = nn.functional.cross_entropy(model(cat[b], num[b]), y[b])
            opt.zero_grad()
            loss.backward()
            opt.step()
            losses.append(loss.item())
        model.eval()
        with torch.no_grad():
            out = model(cat[n_tr:], num[n_tr:])
            vl = nn.functional.cross_entropy(out, y[n_tr:]).item()
            va = (out.argmax(1) == y[n_tr:]).float().mean().item()
        print(f"epoch {epoch}: train {sum(losses) / len(losses):.4f}  val {vl:.4f}  acc {va:.3f}")


if __name__ == "__main__":
    main()
