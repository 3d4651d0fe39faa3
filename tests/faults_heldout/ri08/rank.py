import numpy as np
import torch
from torch import nn

rng = np.random.default_rng(2)
torch.manual_seed(2)

z = np.load("queries.npz")
feats = torch.from_numpy(z["features"].astype(np.float32))
rel = torch.from_numpy(z["relevance"].astype(np.int64))
order = torch.from_numpy(rng.permutation(len(feats)))
fit, held = order[:180], order[180:]
m, s = feats[fit].mean((0, 1)), feats[fit].std((0, 1))
feats = (feats - m) / s


def ndcg(scores, rel, k=5):
    disc = 1.0 / torch.log2(torch.arange(2, k + 2).float())
    gain = 2.0 ** rel - 1
    got = (gain.gather(1, scores.argsort(1, descending=True)[:, :k]) * disc).sum(1)
    ideal = (gain.sort(1, descending=True).values[:, :k] * disc).sum(1)
    ok = ideal > 0
    return (got[ok] / ideal[ok]).mean().item()


def sample_pairs(rel, n):
    """Random document pairs of one query where the first is more relevant."""
    q = torch.randint(len(rel), (4 * n,))
    a, b = torch.randint(rel.shape[1], (2, 4 * n))
    ra, rb = rel[q, a], rel[q, b]
    keep = ra > rb
    return q[keep][:n], a[keep][:n], b[keep][:n]


class Scorer(nn.Module):
    def __init__(self, d, h=32):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(d, h), nn.Tanh(), nn.Linear(h, h), nn.Tanh())
        self.out = nn.Linear(h, 1, bias=False)

    def forward(self, x):
        return self.out(self.body(x)).squeeze(-1)


model = Scorer(feats.shape[-1])
optim = torch.optim.Adam(model.parameters(), lr=3e-3, weight_decay=1e-4)
criterion = nn.MarginRankingLoss(margin=1.0)
x_fit, r_fit = feats[fit], rel[fit]

ema = None
for it in range(1, 601):
    q, hi, lo = sample_pairs(r_fit, 128)
    s_hi, s_lo = model(x_fit[q, hi]), model(x_fit[q, lo])
    loss = criterion(s_lo, s_hi, torch.ones_like(s_hi))
    optim.zero_grad()
    loss.backward()
    optim.step()
    ema = loss.item() if ema is None else 0.95 * ema + 0.05 * loss.item()
    if it % 60 == 0:
        model.eval()
        with torch.no_grad():
            n_fit, n_held = ndcg(model(x_fit), r_fit), ndcg(model(feats[held]), rel[held])
        model.train()
        print(f"iter {it:4d}  hinge {ema:.4f}  ndcg@5 fit {n_fit:.3f} held-out {n_held:.3f}")
