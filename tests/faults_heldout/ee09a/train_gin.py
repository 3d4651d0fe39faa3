import argparse
import logging
from pathlib import Path

import torch
from torch import nn
import torch.nn.functional as F

from graphs import Batches, MolSet

log = logging.getLogger("gin")


class GINLayer(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.eps = nn.Parameter(torch.zeros(()))
        self.mlp = nn.Sequential(nn.Linear(dim, dim), nn.ReLU(), nn.Linear(dim, dim), nn.LayerNorm(dim))

    def forward(self, h, src, dst):
        agg = torch.zeros_like(h).index_add_(0, dst, h[src])
        return h + F.relu(self.mlp((1 + self.eps) * h + agg))


class GIN(nn.Module):
    def __init__(self, n_atoms, dim, layers, mean, std):
        super().__init__()
        self.atom = nn.Embedding(n_atoms, dim)
        self.layers = nn.ModuleList(GINLayer(dim) for _ in range(layers))
        self.readout = nn.Linear(dim, 1)
        self.register_buffer("loc", torch.stack([mean, std]))

    def forward(self, atoms, edges, owner, n):
        h = self.atom(atoms)
        for layer in self.layers:
            h = layer(h, *edges)
        per_graph = h.new_zeros(n, h.shape[1]).index_add_(0, owner, h)
        return self.readout(per_graph).squeeze(1) * self.loc[1] / 4 + self.loc[0]


def lr_factor(warmup_iters, total_iters):
    def factor(it):
        if it < warmup_iters:
            return (it + 1) / warmup_iters
        left = (total_iters - it) / max(1, total_iters - warmup_iters)
        return max(0.02, left)
    return factor


@torch.no_grad()
def mae(model, batches):
    model.eval()
    err = torch.cat([(model(a, e, o, len(y)) - y).abs() for a, e, o, y in batches])
    model.train()
    return err.mean().item()


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=20)
    p.add_argument("--batch", type=int, default=32)
    p.add_argument("--peak-lr", type=float, default=4e-3)
    p.add_argument("--warmup", type=float, default=1)
    p.add_argument("--dim", type=int, default=48)
    p.add_argument("--layers", type=int, default=3)
    p.add_argument("--seed", type=int, default=0)
    a = p.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    torch.manual_seed(a.seed)

    data = MolSet(Path(__file__).with_name("mols.npz"))
    perm = torch.randperm(len(data)).tolist()
    train, test = Batches(data, perm[:1200], a.batch, True), Batches(data, perm[1200:], 100)
    y = data.y[torch.tensor(perm[:1200])]
    model = GIN(int(data.atoms.max()) + 1, a.dim, a.layers, y.mean(), y.std())
    opt = torch.optim.Adam(model.parameters(), lr=a.peak_lr)
    total = a.epochs * len(train)
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lr_factor(int(a.warmup * len(train)), total))
    log.info("predict-the-mean MAE %.3f", (data.y[torch.tensor(perm[1200:])] - y.mean()).abs().mean())

    for epoch in range(1, a.epochs + 1):
        seen, acc = 0, 0.0
        for atoms, edges, owner, target in train:
            pred = model(atoms, edges, owner, len(target))
            loss = F.smooth_l1_loss(pred, target)
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 10.0)
            opt.step()
            sched.step()
            acc += loss.item() * len(target)
            seen += len(target)
        log.info("epoch %2d  train loss %.4f  test MAE %.4f", epoch, acc / seen, mae(model, test))


if __name__ == "__main__":
    main()
