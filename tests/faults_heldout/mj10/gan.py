# Generator of wind (u, v) components for the site, trained adversarially.
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn.functional import softplus

SEED = 31
STEPS = 1600
BATCH = 128
NOISE = 4
R1 = 0.1

torch.manual_seed(SEED)
data = torch.from_numpy(np.load(Path(__file__).with_name("wind_uv.npy")))
train, held = data[:2000], data[2000:]
mean, std = train.mean(0), train.std(0)
train, held = (train - mean) / std, (held - mean) / std


def mlp(i, o, h=64):
    return nn.Sequential(nn.Linear(i, h), nn.LeakyReLU(0.2), nn.Linear(h, h), nn.LeakyReLU(0.2), nn.Linear(h, o))


def sliced_distance(a, b, n=64):
    g = torch.Generator().manual_seed(0)
    d = nn.functional.normalize(torch.randn(2, n, generator=g), dim=0)
    return ((a @ d).sort(0).values - (b @ d).sort(0).values).abs().mean().item()


gen, critic = mlp(NOISE, 2), mlp(2, 1)
opt_g = torch.optim.Adam(gen.parameters(), lr=5e-4, betas=(0.5, 0.99))
opt_c = torch.optim.Adam(critic.parameters(), lr=1e-3, betas=(0.5, 0.99))
decay = [torch.optim.lr_scheduler.LambdaLR(o, lambda s: min(1.0, 2 * (1 - s / STEPS) + 0.02)) for o in (opt_g, opt_c)]
avg = torch.optim.swa_utils.AveragedModel(gen, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.99))

log_g, log_c = [], []
for step in range(1, STEPS + 1):
    real = train[torch.randint(len(train), (BATCH,))].requires_grad_(True)
    fake = gen(torch.randn(BATCH, NOISE))

    out = critic(real)
    (grad,) = torch.autograd.grad(out.sum(), real, create_graph=True)
    loss_c = softplus(-out).mean() + softplus(critic(fake.detach())).mean() + 0.5 * R1 * grad.square().sum(1).mean()
    opt_c.zero_grad()
    loss_c.backward()
    opt_c.step()

    loss_g = softplus(-critic(fake)).mean()
    opt_g.zero_grad()
    loss_g.backward()
    opt_g.step()
    avg.update_parameters(gen)
    for d in decay:
        d.step()

    log_g.append(loss_g.item())
    log_c.append(loss_c.item())
    if step % 100 == 0:
        with torch.no_grad():
            sample = avg(torch.randn(len(held), NOISE))
        print(f"step {step:5d}  G {np.mean(log_g[-100:]):.4f}  D {np.mean(log_c[-100:]):.4f}  "
              f"sliced distance to held-out {sliced_distance(sample, held):.4f}")
