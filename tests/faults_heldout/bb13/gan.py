"""WGAN-GP learns a noisy ring of points (encoder positions of a rotary stage)."""
import copy
import math

import torch
import torch.nn as nn

torch.manual_seed(4)
Z, BATCH, STEPS, N_CRITIC, LAMBDA = 2, 128, 800, 3, 0.5
RADIUS, SIGMA = 2.0, 0.15


def real_batch(n):
    angle = 2 * math.pi * torch.rand(n, 1)
    radius = RADIUS + SIGMA * torch.randn(n, 1)
    return torch.cat([radius * angle.cos(), radius * angle.sin()], dim=1)


def mlp(n_in, n_out, width=64):
    return nn.Sequential(nn.Linear(n_in, width), nn.LeakyReLU(0.2), nn.Linear(width, width), nn.LeakyReLU(0.2),
                         nn.Linear(width, width), nn.LeakyReLU(0.2), nn.Linear(width, n_out))


gen, critic = mlp(Z, 2), mlp(2, 1)
gen_avg = copy.deepcopy(gen).requires_grad_(False)
opt_g = torch.optim.Adam(gen.parameters(), lr=1e-3, betas=(0.5, 0.9))
opt_c = torch.optim.Adam(critic.parameters(), lr=1e-3, betas=(0.5, 0.9))
decay = lambda step: 1.0 if step < STEPS * 0.6 else max(0.05, (STEPS - step) / (STEPS * 0.4))
sched_g = torch.optim.lr_scheduler.LambdaLR(opt_g, decay)
sched_c = torch.optim.lr_scheduler.LambdaLR(opt_c, decay)


def gradient_penalty(real, fake):
    t = torch.rand(len(real), 1)
    mix = (t * real + (1 - t) * fake).requires_grad_(True)
    grad, = torch.autograd.grad(critic(mix).sum(), mix, create_graph=True)
    return ((grad.norm(dim=1) - 1) ** 2).mean()


@torch.no_grad()
def report(n=4000):
    """Sectors of 10 degrees that get their share, points near the ring, and the spread of the radius."""
    x = gen_avg(torch.randn(n, Z))
    radius = x.norm(dim=1)
    sector = ((torch.atan2(x[:, 1], x[:, 0]) + math.pi) / (2 * math.pi) * 36).long().clamp(max=35)
    share = torch.bincount(sector, minlength=36) / (n / 36)
    return int((share > 0.5).sum()), ((radius - RADIUS).abs() < 3 * SIGMA).float().mean().item(), radius.std().item()


for step in range(1, STEPS + 1):
    for _ in range(N_CRITIC):
        real = real_batch(BATCH)
        fake = gen(torch.randn(BATCH, Z)).detach()
        wdist = critic(real).mean() - critic(fake).mean()
        loss_c = -wdist + LAMBDA * gradient_penalty(real, fake)
        opt_c.zero_grad()
        loss_c.backward()
        opt_c.step()

    loss_g = -critic(gen(torch.randn(BATCH, Z))).mean()
    opt_g.zero_grad()
    loss_g.backward()
    opt_g.step()
    with torch.no_grad():
        for a, p in zip(gen_avg.parameters(), gen.parameters()):
            a.lerp_(p, 0.03)
    sched_g.step()
    sched_c.step()

    if step % 100 == 0:
        sectors, near, spread = report()
        print(f"step {step:4d}  critic {loss_c.item():+.3f}  generator {loss_g.item():+.3f}  W {wdist.item():.3f}  "
              f"sectors {sectors}/36  near ring {near:.3f}  radius std {spread:.3f} (target {SIGMA})")
