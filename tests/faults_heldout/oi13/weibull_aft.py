import csv

import torch
from torch import nn

FEATURES = ["age", "sex", "stage", "albumin", "crp", "bmi", "ldh"]


def load(path):
    with open(path) as f:
        rows = list(csv.DictReader(f))
    x = torch.tensor([[float(r[c]) for c in FEATURES] for r in rows])
    x[:, FEATURES.index("crp")] = x[:, FEATURES.index("crp")].clamp_min(0.1).log()
    months = torch.tensor([float(r["months"]) for r in rows])
    death = torch.tensor([float(r["death"]) for r in rows])
    return x, months, death


class WeibullNet(nn.Module):
    """Patient-wise log scale and log shape of a Weibull law, times in months."""

    def __init__(self, d, width=32):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(d, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU())
        self.log_scale = nn.Linear(width, 1)
        self.log_shape = nn.Linear(width, 1)

    def forward(self, x):
        h = self.body(x)
        return self.log_scale(h).squeeze(-1), self.log_shape(h).squeeze(-1)


def nll(log_lam, log_k, t, d):
    k = log_k.exp()
    z = t.log() - log_lam
    return ((k * z).exp() - d * (log_k + k * z - t.log())).mean()


def concordance(risk, t, d):
    earlier = (t[:, None] < t[None, :]) & (d[:, None] > 0)
    good = (risk[:, None] > risk[None, :]).float() + 0.5 * (risk[:, None] == risk[None, :]).float()
    return (good * earlier).sum().item() / earlier.sum().item()


def main():
    torch.manual_seed(6)
    x, t, d = load("cohort.csv")
    perm = torch.randperm(len(x))
    tr, te = perm[:1900], perm[1900:]
    mean, std = x[tr].mean(0), x[tr].std(0)
    x = (x - mean) / std

    net = WeibullNet(x.shape[1])
    weights = filter(lambda p: p.requires_grad, net.parameters())
    opt = torch.optim.SGD(weights, lr=0.03, momentum=0.9)
    for epoch in range(1, 21):
        net.train()
        total = 0.0
        for idx in tr[torch.randperm(len(tr))].split(64):
            loss = nll(*net(x[idx]), t[idx], d[idx])
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(weights, 1.0)
            opt.step()
            total += loss.item() * len(idx)
        if epoch % 2 == 0:
            net.eval()
            with torch.no_grad():
                lam, k = net(x[te])
                test = nll(lam, k, t[te], d[te]).item()
                c = concordance(-lam, t[te], d[te])
            print(f"{epoch:3d} train nll {total / len(tr):.4f} test nll {test:.4f} c-index {c:.3f}")


if __name__ == "__main__":
    main()
