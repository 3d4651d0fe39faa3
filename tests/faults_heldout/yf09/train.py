"""Hinge GAN on the 8x8 digits. Quality is tracked with a Frechet distance in PCA space."""
import copy
import time

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from scipy.linalg import sqrtm
from sklearn.datasets import load_digits
from sklearn.decomposition import PCA
from sklearn.linear_model import LogisticRegression
from torch.nn.utils.parametrizations import spectral_norm as sn

torch.manual_seed(12)
rng = np.random.default_rng(12)

ZDIM, STEPS, BATCH, D_PER_G = 16, 1500, 64, 1

digits = load_digits()
real = (digits.data / 8.0 - 1.0).astype(np.float32)
pca = PCA(20).fit(real)
judge = LogisticRegression(max_iter=300).fit(real, digits.target)
bank = torch.from_numpy(real)


def generator():
    return nn.Sequential(
        nn.Linear(ZDIM, 128), nn.BatchNorm1d(128), nn.ReLU(),
        nn.Linear(128, 128), nn.BatchNorm1d(128), nn.ReLU(),
        nn.Linear(128, 64), nn.Tanh(),
    )


def critic():
    return nn.Sequential(
        sn(nn.Linear(64, 128)), nn.LeakyReLU(0.2),
        sn(nn.Linear(128, 128)), nn.LeakyReLU(0.2),
        sn(nn.Linear(128, 1)),
    )


def frechet(a, b):
    a, b = pca.transform(a), pca.transform(b)
    ca, cb = np.cov(a.T), np.cov(b.T)
    root = sqrtm(ca @ cb).real
    return float(((a.mean(0) - b.mean(0)) ** 2).sum() + np.trace(ca + cb - 2 * root))


@torch.no_grad()
def report(net):
    net.eval()
    fake = net(torch.randn(1000, ZDIM)).numpy()
    share = np.bincount(judge.predict(fake), minlength=10) / len(fake)
    sure = judge.predict_proba(fake).max(1).mean()
    return frechet(real, fake), share, sure


G, D = generator(), critic()
G_avg = copy.deepcopy(G)
opt_g = torch.optim.Adam(G.parameters(), lr=1e-3, betas=(0.0, 0.9))
opt_d = torch.optim.Adam(D.parameters(), lr=2e-3, betas=(0.0, 0.9))
half = len(real) // 2
print(f"frechet between two halves of the real data: {frechet(real[:half], real[half:]):.2f}")

t0 = time.time()
for step in range(1, STEPS + 1):
    for _ in range(D_PER_G):
        x = bank[torch.randint(len(bank), (BATCH,))]
        with torch.no_grad():
            fake = G(torch.randn(BATCH, ZDIM))
        d_loss = F.relu(1 - D(x)).mean() + F.relu(1 + D(fake)).mean()
        opt_d.zero_grad()
        d_loss.backward()
        opt_d.step()

    g_loss = -D(G(torch.randn(BATCH, ZDIM))).mean()
    opt_g.zero_grad()
    g_loss.backward()
    opt_g.step()

    with torch.no_grad():
        for pa, p in zip(G_avg.parameters(), G.parameters()):
            pa.lerp_(p, 0.02)
        for ba, b in zip(G_avg.buffers(), G.buffers()):
            ba.copy_(b)

    if step % 250 == 0:
        fid, share, sure = report(G_avg)
        print(f"{step:5d} D {d_loss.item():.3f} G {g_loss.item():+.3f} frechet {fid:6.2f} "
              f"least common digit {share.min():.3f} judge confidence {sure:.3f} {time.time() - t0:.1f}s", flush=True)
