import argparse
from pathlib import Path

import numpy as np
import torch
from scipy.stats import spearmanr
from sklearn.preprocessing import QuantileTransformer
from torch import nn
from torch.utils.data import BatchSampler, RandomSampler

p = argparse.ArgumentParser(description="Insurance claim severity")
p.add_argument("--table", default="claims.csv")
p.add_argument("--epochs", type=int, default=30)
p.add_argument("--batch-size", type=int, default=64)
p.add_argument("--lr", type=float, default=2e-3)
p.add_argument("--delta", type=float, default=0.7)
opt = p.parse_args()
torch.manual_seed(0)

tab = np.loadtxt(Path(__file__).parent / opt.table, delimiter=",", skiprows=1)
rng = np.random.default_rng(0)
tab = tab[rng.permutation(len(tab))]
X, amount = tab[:, :-1], tab[:, -1]
n = int(0.8 * len(tab))
print(f"claims: median {np.median(amount):.0f}  mean {amount.mean():.0f}  max {amount.max():.0f}")

qt = QuantileTransformer(n_quantiles=200, output_distribution="normal", random_state=0).fit(X[:n])
X = torch.tensor(qt.transform(X), dtype=torch.float32)
t = np.log1p(amount)
center, spread = t[:n].mean(), t[:n].std()
T = torch.tensor((t - center) / spread, dtype=torch.float32)

model = nn.Sequential(nn.Linear(X.shape[1], 64), nn.SiLU(), nn.Linear(64, 32), nn.SiLU(), nn.Linear(32, 1), nn.Flatten(0))
optim = torch.optim.AdamW(model.parameters(), lr=opt.lr, weight_decay=0.02)
plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(optim, factor=0.3, patience=3)
huber = nn.HuberLoss(delta=opt.delta)

for epoch in range(opt.epochs):
    model.train()
    tot, k = 0.0, 0
    for rows in BatchSampler(RandomSampler(range(n)), opt.batch_size, drop_last=True):
        loss = huber(model(X[rows]), T[rows])
        optim.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 2.0)
        optim.step()
        tot, k = tot + loss.item(), k + 1
    model.eval()
    with torch.no_grad():
        out = model(X[n:])
        val = huber(out, T[n:]).item()
    plateau.step(val)
    if epoch % 3 == 2:
        money = np.expm1(out.numpy() * spread + center)
        ape = np.median(np.abs(money - amount[n:]) / amount[n:])
        print(f"epoch {epoch + 1:3d} huber {tot / k:.4f} val {val:.4f} median APE {ape:.3f} "
              f"spearman {spearmanr(money, amount[n:]).statistic:.3f} lr {optim.param_groups[0]['lr']:.1e}")
flat = np.median(np.abs(np.median(amount[:n]) - amount[n:]) / amount[n:])
print(f"constant prediction: median APE {flat:.3f}")
