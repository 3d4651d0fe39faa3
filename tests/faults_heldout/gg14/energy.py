import os
from types import SimpleNamespace

import numpy as np
import torch
from sklearn.metrics import roc_auc_score
from torch import nn

hp = SimpleNamespace(steps=900, batch=128, buffer=2048, fresh=0.1, langevin=20, eps=0.03, noise=0.06, lr=1e-3, reg=0.05, seed=6)


class Energy(nn.Module):
    def __init__(self, d, h=64):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(d, h), nn.SiLU(), nn.Linear(h, h), nn.SiLU(), nn.Linear(h, 1))

    def forward(self, x):
        return self.f(x).squeeze(-1) + 0.05 * x.square().sum(-1)


class Chains:
    """persistent samples for contrastive divergence"""

    def __init__(self, size, d):
        self.x = self.restart(size, d)

    @staticmethod
    def restart(n, d):
        return torch.empty(n, d).uniform_(-2.5, 2.5)

    def draw(self, n, fresh):
        self.slot = torch.randperm(len(self.x))[:n]
        start = self.x[self.slot].clone()
        new = torch.rand(n) < fresh
        start[new] = self.restart(int(new.sum()), self.x.shape[1])
        return start

    def put(self, x):
        self.x[self.slot] = x


def langevin(net, x, steps, eps, noise):
    for p in net.parameters():
        p.requires_grad_(False)
    for _ in range(steps):
        x = x.detach().requires_grad_(True)
        g, = torch.autograd.grad(net(x).sum(), x)
        x = x - eps * g.clamp(-3, 3) + noise * torch.randn_like(x)
        x = x.clamp(-4, 4)
    for p in net.parameters():
        p.requires_grad_(True)
    return x.detach()


def auroc(net, x, y):
    with torch.no_grad():
        return roc_auc_score(y, net(x).numpy())


def main():
    torch.manual_seed(hp.seed)
    torch.set_num_threads(1)
    z = np.load(os.path.join(os.path.dirname(os.path.abspath(__file__)), "compressor.npz"))
    normal, check, y = z["normal"], z["check"], z["is_anomaly"]
    mu, sd = normal.mean(0), normal.std(0)
    X, C = torch.from_numpy((normal - mu) / sd), torch.from_numpy((check - mu) / sd)
    half = np.random.default_rng(0).permutation(len(y))
    dev, test = half[:400], half[400:]

    P = np.linalg.inv(np.cov(X.numpy().T))
    mahal = np.einsum("ij,jk,ik->i", C.numpy(), P, C.numpy())
    print("channels:", ", ".join(z["channels"]))
    print(f"mahalanobis distance, test AUROC {roc_auc_score(y[test], mahal[test]):.3f}")

    net = Energy(X.shape[1])
    chains = Chains(hp.buffer, X.shape[1])
    opt = torch.optim.Adam(net.parameters(), lr=hp.lr, betas=(0.5, 0.99))
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, hp.steps, 1e-4)
    gap_avg = 0.0
    for it in range(1, hp.steps + 1):
        pos = X[torch.randint(len(X), (hp.batch,))]
        pos = pos + 0.05 * torch.randn_like(pos)
        neg = langevin(net, chains.draw(hp.batch, hp.fresh), hp.langevin, hp.eps, hp.noise)
        chains.put(neg)
        e_pos, e_neg = net(pos), net(neg)
        loss = e_pos.mean() - e_neg.mean() + hp.reg * (e_pos.square().mean() + e_neg.square().mean())
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        gap_avg = 0.98 * gap_avg + 0.02 * loss.item()
        if it % 75 == 0:
            print(f"{it:4d}  loss(avg) {gap_avg:+.4f}  E+ {e_pos.mean().item():+.3f}  E- {e_neg.mean().item():+.3f}  dev AUROC {auroc(net, C[dev], y[dev]):.3f}")
    print(f"test AUROC {auroc(net, C[test], y[test]):.3f}")


if __name__ == "__main__":
    main()
