"""Sigma-70 promoter recognition from 60 bp windows with a compact transformer."""
import argparse
from pathlib import Path

import torch
from torch import nn
from torch.nn import functional as F

BASES = {b: i for i, b in enumerate("ACGT")}


def load(path):
    seqs, labels = [], []
    for line in Path(path).read_text().splitlines():
        sign, seq = line.split()
        seqs.append([BASES[b] for b in seq])
        labels.append(float(sign == "+"))
    return torch.tensor(seqs), torch.tensor(labels)


class PromoterNet(nn.Module):
    def __init__(self, length, dim=32, heads=4, layers=2):
        super().__init__()
        self.base = nn.Embedding(4, dim)
        self.stem = nn.Conv1d(dim, dim, 7, stride=2, padding=3)
        self.summary = nn.Parameter(torch.randn(dim) * 0.1)
        self.position = nn.Parameter(torch.randn(length // 2 + 1, dim) * 0.1)
        layer = nn.TransformerEncoderLayer(dim, heads, dim_feedforward=64, dropout=0.05, norm_first=True)
        self.encoder = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)
        self.score = nn.Sequential(nn.LayerNorm(dim), nn.Linear(dim, 1))

    def forward(self, seq):
        h = self.base(seq)                                        # batch, length, dim
        h = self.stem(h.transpose(1, 2)).transpose(1, 2)          # batch, length / 2, dim
        h = torch.cat([self.summary.expand(len(h), 1, -1), h], dim=1)
        h = self.encoder(h + self.position)
        return self.score(h[:, 0]).squeeze(-1)


def auc(scores, y):
    rank = scores.argsort().argsort().float() + 1
    pos = y.sum()
    return ((rank[y == 1].sum() - pos * (pos + 1) / 2) / (pos * (len(y) - pos))).item()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--lr", type=float, default=3e-3)
    opt = parser.parse_args()
    torch.manual_seed(2024)

    x, y = load(Path(__file__).parent / "promoters.txt")
    n_train = int(0.8 * len(x))
    xt, yt, xv, yv = x[:n_train], y[:n_train], x[n_train:], y[n_train:]
    net = PromoterNet(x.shape[1])
    optim = torch.optim.AdamW(net.parameters(), lr=opt.lr, weight_decay=0.01)
    steps = opt.epochs * (n_train // opt.batch)
    sched = torch.optim.lr_scheduler.OneCycleLR(optim, opt.lr, total_steps=steps, pct_start=0.15)

    for epoch in range(1, opt.epochs + 1):
        net.train()
        losses = []
        for idx in torch.randperm(n_train)[:n_train // opt.batch * opt.batch].split(opt.batch):
            loss = F.binary_cross_entropy_with_logits(net(xt[idx]), yt[idx])
            optim.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            optim.step()
            sched.step()
            losses.append(loss.item())
        net.eval()
        with torch.no_grad():
            logits = torch.cat([net(b) for b in xv.split(opt.batch)])
        acc = ((logits > 0) == (yv > 0.5)).float().mean().item()
        print(f"epoch {epoch:2d} train {sum(losses) / len(losses):.4f} "
              f"val {F.binary_cross_entropy_with_logits(logits, yv).item():.4f} acc {acc:.3f} auc {auc(logits, yv):.3f}")


if __name__ == "__main__":
    main()
