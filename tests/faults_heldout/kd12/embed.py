"""Walker embeddings (supervised contrastive). Evaluation: retrieval among walkers never seen in training."""
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

from sampler import WalkerBatches

CONF = dict(p=24, k=4, passes=4, epochs=25, tau=0.15, lr=2e-3, wd=1e-3, dim=24, width=128, seed=8)


class Embedder(nn.Module):
    def __init__(self, n_in, width, dim):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(n_in, width), nn.LayerNorm(width), nn.GELU(),
                                 nn.Linear(width, width), nn.LayerNorm(width), nn.GELU(), nn.Linear(width, dim))

    def forward(self, x):
        return F.normalize(self.net(x), dim=1)


def supcon(z, w, tau):
    sim = z @ z.t() / tau
    me = torch.eye(len(z), dtype=torch.bool)
    logp = sim - torch.logsumexp(sim.masked_fill(me, -1e9), 1, keepdim=True)
    pos = (w[:, None] == w[None, :]) & ~me
    return -(logp * pos).sum(1).div(pos.sum(1)).mean()


@torch.no_grad()
def recall_at_1(z, w):
    d = torch.cdist(z, z)
    d.fill_diagonal_(float("inf"))
    return (w[d.argmin(1)] == w).float().mean().item()


def main(c):
    torch.manual_seed(c["seed"])
    f = np.load("gait_windows.npz")
    x, w = torch.from_numpy(f["features"].astype(np.float32)), torch.from_numpy(f["walker"].astype(np.int64))
    unseen = w >= 170
    xt, wt, xu, wu = x[~unseen], w[~unseen], x[unseen], w[unseen]
    m, s = xt.mean(0), xt.std(0)
    xt, xu = (xt - m) / s, (xu - m) / s
    print(f"raw features: recall@1 on unseen walkers {recall_at_1(xu, wu):.3f} (chance {9 / (len(wu) - 1):.3f})")

    sampler = WalkerBatches(wt.numpy(), c["p"], c["k"], c["passes"], c["seed"])
    loader = DataLoader(TensorDataset(xt, wt), batch_sampler=sampler)
    net = Embedder(xt.shape[1], c["width"], c["dim"])
    opt = torch.optim.AdamW(net.parameters(), lr=c["lr"], weight_decay=c["wd"])
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, c["lr"], total_steps=c["epochs"] * len(sampler))
    # lowest possible value: log(k - 1) when all windows of a walker coincide
    for ep in range(c["epochs"]):
        net.train()
        tot = 0
        for xb, wb in loader:
            loss = supcon(net(xb), wb, c["tau"])
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            tot += loss.item() / len(sampler)
        if ep % 3 == 0 or ep == c["epochs"] - 1:
            net.eval()
            with torch.no_grad():
                zt, zu = net(xt), net(xu)
            print(f"{ep:2d} loss {tot:.3f} recall@1 seen {recall_at_1(zt, wt):.3f} unseen {recall_at_1(zu, wu):.3f}")


if __name__ == "__main__":
    main(CONF)
