"""Wasserstein GAN with gradient penalty for the arrival pattern of a detector (plane coordinates)."""
import argparse
import math

import torch
from torch import nn

ap = argparse.ArgumentParser()
ap.add_argument("--steps", type=int, default=1000)
ap.add_argument("--critic-steps", type=int, default=4)
ap.add_argument("--gp", type=float, default=1.0)
ap.add_argument("--seed", type=int, default=19)
a = ap.parse_args()
torch.manual_seed(a.seed)


def pattern(n, gen=None):
    k = torch.randint(6, (n,), generator=gen)
    ang = 2 * math.pi * k / 6 + 0.3
    return torch.stack([ang.cos(), ang.sin()], 1) * 1.4 + 0.12 * torch.randn(n, 2, generator=gen)


def mlp(i, o, act):
    return nn.Sequential(nn.Linear(i, 96), act(), nn.Linear(96, 96), act(), nn.Linear(96, o))


def penalty(critic, real, fake):
    t = torch.rand(len(real), 1)
    mid = (t * real + (1 - t) * fake).requires_grad_(True)
    g, = torch.autograd.grad(critic(mid).sum(), mid, create_graph=True)
    return ((g.norm(dim=1) - 1) ** 2).mean()


def sliced_w1(x, y, n=64):
    d = torch.randn(2, n, generator=torch.Generator().manual_seed(1))
    d = d / d.norm(dim=0)
    return ((x @ d).sort(0).values - (y @ d).sort(0).values).abs().mean().item()


records = pattern(6000, torch.Generator().manual_seed(100))
held = pattern(2000, torch.Generator().manual_seed(101))
floor = sliced_w1(held, records[:2000])
gen, critic = mlp(4, 2, nn.ReLU), mlp(2, 1, nn.LeakyReLU)
og = torch.optim.Adam(gen.parameters(), lr=1e-3, betas=(0.0, 0.9))
oc = torch.optim.Adam(critic.parameters(), lr=2e-3, betas=(0.0, 0.9))
fade = [torch.optim.lr_scheduler.LambdaLR(o, lambda s: 1 - 0.9 * s / a.steps) for o in (og, oc)]
avg = torch.optim.swa_utils.AveragedModel(gen, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.98))

for step in range(1, a.steps + 1):
    for _ in range(a.critic_steps):
        real = records[torch.randint(len(records), (128,))]
        with torch.no_grad():
            fake = gen(torch.randn(128, 4))
        w = critic(real).mean() - critic(fake).mean()
        loss_c = -w + a.gp * penalty(critic, real, fake)
        oc.zero_grad()
        loss_c.backward()
        oc.step()
    loss_g = -critic(gen(torch.randn(128, 4))).mean()
    og.zero_grad()
    loss_g.backward()
    og.step()
    for f in fade:
        f.step()
    avg.update_parameters(gen)
    if step % 100 == 0:
        with torch.no_grad():
            x = avg(torch.randn(2000, 4))
        near = torch.cdist(x, pattern(6000)).min(1).values
        sect = ((torch.atan2(x[:, 1], x[:, 0]) - 0.3) / (math.pi / 3)).round().long() % 6
        share = torch.bincount(sect, minlength=6) / len(x)
        print(f"{step:4d} W {w.item():.3f} gen {loss_g.item():+.3f} | sliced W1 {sliced_w1(x, held):.4f} (records {floor:.4f}) "
              f"smallest share {share.min():.3f} off {(near > 0.1).float().mean():.3f}")
