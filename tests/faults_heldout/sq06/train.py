# Moth counts per trap night: zero-inflated negative binomial with a small net for mean, dispersion and zero part
import csv
import math
import os
import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(17)
rng = np.random.default_rng(17)

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "traps.csv")) as fh:
    rows = list(csv.DictReader(fh))

phase = np.array([2 * math.pi * float(r["moon_phase"]) for r in rows])
plain = ["temp_c", "humidity", "wind", "altitude_m", "forest", "urban"]
X = np.column_stack([[float(r[c]) for r in rows] for c in plain] + [np.sin(phase), np.cos(phase)])
exposure = np.log(np.array([float(r["hours"]) for r in rows]) / 8.0)
y = np.array([int(r["moths"]) for r in rows])

perm = rng.permutation(len(y))
tr, te = perm[900:], perm[:900]
mu, sd = X[tr].mean(0), X[tr].std(0)
X = torch.tensor((X - mu) / sd, dtype=torch.float32)
exposure = torch.tensor(exposure, dtype=torch.float32)
y = torch.tensor(y, dtype=torch.float32)


class CountModel(nn.Module):
    def __init__(self, n_in):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(n_in, 32), nn.SiLU(), nn.Linear(32, 32), nn.SiLU())
        self.log_mean = nn.Linear(32, 1)
        self.zero = nn.Linear(32, 1)
        self.log_disp = nn.Parameter(torch.zeros(()))

    def forward(self, x, log_exposure):
        h = self.body(x)
        # hours of exposure enter as an offset, they have no weight of their own
        return self.log_mean(h).squeeze(1) + log_exposure, self.zero(h).squeeze(1), self.log_disp


def zinb_nll(y, log_mu, zero_logit, log_r):
    r = log_r.exp()
    log_r_mu = torch.logaddexp(log_r, log_mu)
    log_nb = (torch.lgamma(y + r) - torch.lgamma(r) - torch.lgamma(y + 1)
              + r * (log_r - log_r_mu) + y * (log_mu - log_r_mu))
    log_zero, log_keep = F.logsigmoid(zero_logit), F.logsigmoid(-zero_logit)
    ll = torch.where(y == 0, torch.logaddexp(log_zero, log_keep + log_nb), log_keep + log_nb)
    return -ll


def report(idx):
    model.eval()
    with torch.no_grad():
        log_mu, z, log_r = model(X[idx], exposure[idx])
        nll = zinb_nll(y[idx], log_mu, z, log_r).mean().item()
        r = log_r.exp()
        p0 = torch.sigmoid(z) + torch.sigmoid(-z) * (r / (r + log_mu.exp())) ** r
        mean = torch.sigmoid(-z) * log_mu.exp()
    return nll, p0.mean().item(), (mean - y[idx]).abs().mean().item(), r.item()


model = CountModel(X.shape[1])
opt = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=1e-2)
tr_t, te_t = torch.tensor(tr), torch.tensor(te)
print(f"zeros in the training nights: {(y[tr_t] == 0).float().mean():.3f}, largest count {int(y[tr_t].max())}")

for epoch in range(1, 26):
    model.train()
    acc = 0.0
    for b in tr_t[torch.randperm(len(tr_t))].split(50):
        loss = zinb_nll(y[b], *model(X[b], exposure[b])).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        acc += loss.item() * len(b)
    if epoch % 2 == 0 or epoch == 1:
        nll, p0, mae, r = report(te_t)
        print(f"{epoch:3d} train nll {acc / len(tr_t):.4f} | test nll {nll:.4f} mae {mae:.3f} "
              f"P(0) {p0:.3f} (seen {(y[te_t] == 0).float().mean():.3f}) r {r:.2f}")
