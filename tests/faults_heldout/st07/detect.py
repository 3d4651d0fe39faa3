import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.metrics import average_precision_score, brier_score_loss

from sensors import draw

SEED = 4
KEEP_PER_FAULT = 12
ROUNDS = 40


def build():
    return nn.Sequential(nn.Linear(8, 16), nn.Tanh(), nn.Linear(16, 1))


def thinned(faults, normals, rng):
    take = rng.choice(normals, size=KEEP_PER_FAULT * len(faults), replace=False)
    return rng.permutation(np.concatenate([faults, take]))


def prior_shift(n_fault, n_normal):
    return float(np.log(n_fault / n_normal) - np.log(1.0 / KEEP_PER_FAULT))


if __name__ == "__main__":
    torch.manual_seed(SEED)
    world = np.random.default_rng(77)
    rng = np.random.default_rng(SEED)
    x, y = draw(60000, world)
    xv, yv = draw(40000, world)
    faults, normals = np.flatnonzero(y == 1), np.flatnonzero(y == 0)
    shift = prior_shift(len(faults), len(normals))
    print(f"{len(faults)} damaged of {len(y)} windows, offset {shift:.2f}")

    net = build()
    opt = torch.optim.AdamW(net.parameters(), lr=4e-3, weight_decay=0.05)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, ROUNDS)
    xt, yt, xv_t = torch.from_numpy(x), torch.from_numpy(y), torch.from_numpy(xv)
    for r in range(1, ROUNDS + 1):
        net.train()
        idx = thinned(faults, normals, rng)
        losses = []
        for part in np.array_split(idx, len(idx) // 64):
            z = net(xt[part]).squeeze(1)
            loss = F.binary_cross_entropy_with_logits(z, yt[part])
            opt.zero_grad()
            loss.backward()
            opt.step()
            losses.append(loss.item())
        sched.step()
        if r % 5 == 0:
            net.eval()
            with torch.no_grad():
                p = torch.sigmoid(net(xv_t).squeeze(1) + shift).numpy()
            print(f"round {r:2d} bce {np.mean(losses):.4f} | field AP {average_precision_score(yv, p):.3f} "
                  f"brier {brier_score_loss(yv, p):.5f} mean p {p.mean():.4f} rate {yv.mean():.4f}")
