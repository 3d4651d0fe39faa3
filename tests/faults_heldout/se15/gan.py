"""Non-saturating GAN for a two-dimensional eight-mode mixture (R1 penalty on the critic side)."""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(6)
MODES, RADIUS, SPREAD = 8, 2.0, 0.12
LATENT, BATCH, STEPS = 8, 256, 2400
angles = torch.arange(MODES) * (2 * math.pi / MODES)
centers = RADIUS * torch.stack([angles.cos(), angles.sin()], dim=1)


def real_batch(n):
    return centers[torch.randint(MODES, (n,))] + SPREAD * torch.randn(n, 2)


def mlp(n_in, n_out, width=96):
    return nn.Sequential(
        nn.Linear(n_in, width), nn.LeakyReLU(0.2),
        nn.Linear(width, width), nn.LeakyReLU(0.2),
        nn.Linear(width, n_out),
    )


def sliced_wasserstein(a, b, projections=64):
    d = F.normalize(torch.randn(2, projections, generator=torch.Generator().manual_seed(0)), dim=0)
    return ((a @ d).sort(0).values - (b @ d).sort(0).values).abs().mean().item()


def coverage(samples):
    dist, nearest = torch.cdist(samples, centers).min(1)
    good = dist < 4 * SPREAD
    per_mode = torch.bincount(nearest[good], minlength=MODES) / len(samples)
    return (per_mode > 0.03).sum().item(), good.float().mean().item()


G, D = mlp(LATENT, 2), mlp(2, 1)
opt_g = torch.optim.Adam(G.parameters(), lr=1.5e-3, betas=(0.0, 0.99))
opt_d = torch.optim.Adam(D.parameters(), lr=1.5e-3, betas=(0.0, 0.99))
decay = lambda k: 1.0 if k < STEPS // 2 else 2.0 * (1 - k / STEPS) + 0.02
sched_g = torch.optim.lr_scheduler.LambdaLR(opt_g, decay)
sched_d = torch.optim.lr_scheduler.LambdaLR(opt_d, decay)
held_out = real_batch(4000)
fixed_z = torch.randn(4000, LATENT)

for step in range(1, STEPS + 1):
    x = real_batch(BATCH).requires_grad_(True)
    with torch.no_grad():
        fake = G(torch.randn(BATCH, LATENT))
    out_real, out_fake = D(x), D(fake)
    grad, = torch.autograd.grad(out_real.sum(), x, create_graph=True)
    r1 = grad.pow(2).sum(1).mean()
    loss_d = F.softplus(-out_real).mean() + F.softplus(out_fake).mean() + 0.02 * r1
    opt_d.zero_grad()
    loss_d.backward()
    opt_d.step()

    loss_g = F.softplus(-D(G(torch.randn(BATCH, LATENT)))).mean()
    opt_g.zero_grad()
    loss_g.backward()
    opt_g.step()
    sched_g.step()
    sched_d.step()

    if step % 300 == 0:
        with torch.no_grad():
            samples = G(fixed_z)
        modes, quality = coverage(samples)
        print(f"step {step}: D {loss_d.item():.3f} G {loss_g.item():.3f} | modes {modes}/{MODES} "
              f"high-quality {quality:.3f} SWD {sliced_wasserstein(samples, held_out):.4f}")
print(f"SWD between two real samples: {sliced_wasserstein(real_batch(4000), held_out):.4f}")
