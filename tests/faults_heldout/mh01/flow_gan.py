"""Generator for synthetic network flow records (log duration, log bytes)."""
import copy

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(3)
np.random.seed(3)

STEPS = 1200
BATCH = 256
Z = 8
R1 = 0.2
LR_G, LR_D = 7e-4, 1.4e-3
EMA_DECAY = 0.995

flows = np.load("data/flows.npy")
order = np.random.permutation(len(flows))
train_raw, held_raw = flows[order[:4500]], flows[order[4500:]]
mean, std = train_raw.mean(0), train_raw.std(0)
real = torch.from_numpy((train_raw - mean) / std)
held = torch.from_numpy((held_raw - mean) / std)


def mlp(n_in, n_out, width=96):
    return nn.Sequential(
        nn.Linear(n_in, width), nn.LeakyReLU(0.2),
        nn.Linear(width, width), nn.LeakyReLU(0.2),
        nn.Linear(width, n_out),
    )


gen = mlp(Z, 2)
disc = mlp(2, 1)
gen_avg = copy.deepcopy(gen).requires_grad_(False)

opt_g = torch.optim.Adam(gen.parameters(), lr=LR_G, betas=(0.0, 0.99))
opt_d = torch.optim.Adam(disc.parameters(), lr=LR_D, betas=(0.0, 0.99))


def lr_factor(step):
    return 1.0 if step < STEPS // 2 else max(0.02, 2.0 * (1 - step / STEPS))


sched_g = torch.optim.lr_scheduler.LambdaLR(opt_g, lr_factor)
sched_d = torch.optim.lr_scheduler.LambdaLR(opt_d, lr_factor)

directions = F.normalize(torch.randn(64, 2, generator=torch.Generator().manual_seed(0)), dim=1)


def sliced_w1(a, b):
    pa, pb = (a @ directions.T).sort(0).values, (b @ directions.T).sort(0).values
    return (pa - pb).abs().mean().item()


@torch.no_grad()
def score(net):
    z = torch.randn(len(held), Z, generator=torch.Generator().manual_seed(1))
    return sliced_w1(net(z), held)


floor = sliced_w1(real[: len(held)], held)
print(f"train rows {len(real)}  held-out rows {len(held)}  real-vs-real distance {floor:.3f}")

log_d = log_g = 0.0
for step in range(1, STEPS + 1):
    # discriminator
    x = real[torch.randint(len(real), (BATCH,))].requires_grad_(True)
    with torch.no_grad():
        fake = gen(torch.randn(BATCH, Z))
    score_real, score_fake = disc(x), disc(fake)
    d_loss = F.softplus(-score_real).mean() + F.softplus(score_fake).mean()
    grad, = torch.autograd.grad(score_real.sum(), x, create_graph=True)
    penalty = 0.5 * R1 * grad.pow(2).sum(1).mean()
    opt_d.zero_grad(set_to_none=True)
    (d_loss + penalty).backward()
    opt_d.step()

    # generator
    disc.requires_grad_(False)
    g_loss = F.softplus(-disc(gen(torch.randn(BATCH, Z)))).mean()
    opt_g.zero_grad(set_to_none=True)
    g_loss.backward()
    opt_g.step()
    disc.requires_grad_(True)

    sched_g.step()
    sched_d.step()
    with torch.no_grad():
        for p_avg, p in zip(gen_avg.parameters(), gen.parameters()):
            p_avg.lerp_(p, 1 - EMA_DECAY)

    log_d += d_loss.item()
    log_g += g_loss.item()
    if step % 200 == 0:
        print(f"step {step:5d}  d {log_d / 200:.3f}  g {log_g / 200:.3f}  "
              f"sw1 {score(gen):.3f}  sw1(avg) {score(gen_avg):.3f}")
        log_d = log_g = 0.0

with torch.no_grad():
    sample = gen_avg(torch.randn(2000, Z)).numpy() * std + mean
print("sample mean", sample.mean(0).round(2), "held-out mean", held_raw.mean(0).round(2))
print("sample corr", np.corrcoef(sample.T)[0, 1].round(3), "held-out corr", np.corrcoef(held_raw.T)[0, 1].round(3))
