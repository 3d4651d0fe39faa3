import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader

from groups import LengthBuckets, QueryLists, pad_lists


class Scorer(nn.Module):
    def __init__(self, d, h=32):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(d, h), nn.ELU(), nn.Dropout(0.05), nn.Linear(h, h), nn.ELU(), nn.Linear(h, 1))

    def forward(self, x):
        return self.net(x).squeeze(-1)


def gains(g):
    return 2.0 ** g.float() - 1.0


def weighted_pair_loss(s, g, mask):
    """Logistic pair loss, each pair weighted with the NDCG change of a swap."""
    with torch.no_grad():
        neg = s.masked_fill(~mask, -1e9)
        rank = neg.argsort(1, descending=True).argsort(1)
        disc = 1.0 / torch.log2(rank.float() + 2.0)
        ideal = gains(g).masked_fill(~mask, 0.0).sort(1, descending=True).values
        idcg = (ideal / torch.log2(torch.arange(s.size(1)) + 2.0)).sum(1).clamp(min=1e-6)
        swap = (gains(g)[:, :, None] - gains(g)[:, None]).abs() * (disc[:, :, None] - disc[:, None]).abs()
        pair = (g[:, :, None] > g[:, None]) & mask[:, :, None] & mask[:, None]
        w = (swap / idcg[:, None, None]) * pair
    per_pair = nn.functional.softplus(-(s[:, :, None] - s[:, None]))
    return (w * per_pair).sum((1, 2)).mean()


@torch.no_grad()
def ndcg(model, loader, k=10):
    model.eval()
    vals, losses = [], []
    for x, g, mask in loader:
        s = model(x)
        losses.append(weighted_pair_loss(s, g, mask).item() * len(x))
        for si, gi, mi in zip(s, g, mask):
            gi, si = gi[mi], si[mi]
            d = 1 / torch.log2(torch.arange(min(k, len(gi))) + 2.0)
            best = (gains(gi.sort(descending=True).values[:k]) * d).sum()
            if best > 0:
                vals.append(((gains(gi[si.argsort(descending=True)[:k]]) * d).sum() / best).item())
    return float(np.mean(vals)), sum(losses) / len(loader.dataset)


def main(epochs=16, batch=8, lr=4e-3, seed=3):
    torch.manual_seed(seed)
    z = np.load("judgements.npz")
    qs = np.random.default_rng(seed).permutation(np.unique(z["query"]))
    train = QueryLists(z["features"], z["grade"], z["query"], qs[80:])
    valid = QueryLists(z["features"], z["grade"], z["query"], qs[:80])
    tl = DataLoader(train, batch_sampler=LengthBuckets(train.lengths(), batch), collate_fn=pad_lists)
    vl = DataLoader(valid, batch_size=40, collate_fn=pad_lists)
    model = Scorer(10)
    opt = torch.optim.AdamW(model.parameters(), lr=lr, weight_decay=0.02)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, epochs)
    for ep in range(epochs):
        model.train()
        tot = cnt = 0
        for x, g, mask in tl:
            loss = weighted_pair_loss(model(x), g, mask)
            opt.zero_grad()
            loss.backward()
            opt.step()
            tot, cnt = tot + loss.item() * len(x), cnt + len(x)
        sched.step()
        if ep % 3 == 0 or ep == epochs - 1:
            n, l = ndcg(model, vl)
            print(f"ep {ep:2d} train {tot / cnt:.4f} valid {l:.4f} ndcg@10 {n:.4f}")


if __name__ == "__main__":
    main()
