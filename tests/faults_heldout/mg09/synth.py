import copy
import math

import numpy as np
import torch
from torch import nn
from torch.nn.utils.parametrizations import spectral_norm

torch.manual_seed(6)
Z, STEPS, BATCH = 8, 2000, 128

raw = torch.from_numpy(np.load("joints.npy").astype(np.float32))
mu, sd = raw[:6000].mean(0), raw[:6000].std(0)
real, held = (raw[:6000] - mu) / sd, (raw[6000:] - mu) / sd


def mlp(sizes, wrap=lambda m: m, act=nn.LeakyReLU):
    mods = []
    for a, b in zip(sizes[:-1], sizes[1:]):
        mods += [wrap(nn.Linear(a, b)), act(0.2)]
    return nn.Sequential(*mods[:-1])


gen = mlp([Z, 96, 96, real.shape[1]])
critic = mlp([real.shape[1], 128, 128, 1], wrap=spectral_norm)
shadow = copy.deepcopy(gen).requires_grad_(False)
opt_g = torch.optim.Adam(gen.parameters(), lr=3e-4, betas=(0.0, 0.9))
opt_d = torch.optim.Adam(critic.parameters(), lr=1.2e-3, betas=(0.0, 0.9))


def energy(a, b):
    """Energy distance between two samples."""
    def off(x):
        n = len(x)
        return torch.cdist(x, x).sum() / (n * (n - 1))
    return (2 * torch.cdist(a, b).mean() - off(a) - off(b)).item()


print(f"two halves of the data: energy distance {energy(real[:1000], held[:1000]):.5f}")
for step in range(1, STEPS + 1):
    frac = 1.0 if step < STEPS // 2 else 2 * (1 - step / STEPS) + 0.02
    for opt, base in ((opt_g, 3e-4), (opt_d, 1.2e-3)):
        opt.param_groups[0]["lr"] = base * frac

    x = real[torch.randint(len(real), (BATCH,))]
    with torch.no_grad():
        fake = gen(torch.randn(BATCH, Z))
    loss_d = torch.relu(1 - critic(x)).mean() + torch.relu(1 + critic(fake)).mean()
    opt_d.zero_grad()
    loss_d.backward()
    opt_d.step()

    loss_g = -critic(gen(torch.randn(BATCH, Z))).mean()
    opt_g.zero_grad()
    loss_g.backward()
    opt_g.step()

    with torch.no_grad():
        for s, p in zip(shadow.parameters(), gen.parameters()):
            s.lerp_(p, 0.01)
    if step % 200 == 0:
        with torch.no_grad():
            sample = shadow(torch.randn(1000, Z))
        print(f"step {step:4d} critic {loss_d.item():.3f} generator {loss_g.item():+.3f} energy distance {energy(sample, held[:1000]):.5f}")
