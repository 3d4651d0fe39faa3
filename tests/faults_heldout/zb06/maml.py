"""MAML (10-shot sinusoid regression) with torch.func."""
import math

import torch
from torch import nn
from torch.func import functional_call, grad, vmap

torch.manual_seed(1)
K_SHOT, K_QUERY, TASKS, INNER_LR, META_LR, META_STEPS = 10, 10, 20, 0.05, 4e-3, 1100

net = nn.Sequential(nn.Linear(1, 40), nn.Tanh(), nn.Linear(40, 40), nn.Tanh(), nn.Linear(40, 1))
theta = {k: v.detach().clone().requires_grad_(True) for k, v in net.named_parameters()}


def sample_tasks(n, gen=None):
    amp = torch.rand(n, 1, 1, generator=gen) * 4.9 + 0.1
    phase = torch.rand(n, 1, 1, generator=gen) * math.pi
    x = torch.rand(n, K_SHOT + K_QUERY, 1, generator=gen) * 10 - 5
    y = amp * torch.sin(x - phase)
    return x[:, :K_SHOT], y[:, :K_SHOT], x[:, K_SHOT:], y[:, K_SHOT:]


def mse(params, x, y):
    return (functional_call(net, params, (x / 2.5,)) - y).pow(2).mean()


def adapt(params, x, y, steps):
    for _ in range(steps):
        g = grad(mse)(params, x, y)
        params = {k: params[k] - INNER_LR * g[k] for k in params}
    return params


def query_loss(params, xs, ys, xq, yq, steps=1):
    return mse(adapt(params, xs, ys, steps), xq, yq)


def evaluate(steps):
    tasks = sample_tasks(400, torch.Generator().manual_seed(99))
    frozen = {k: v.detach() for k, v in theta.items()}
    return vmap(lambda *t: query_loss(frozen, *t, steps=steps))(*tasks).mean().item()


outer = torch.optim.Adam(theta.values(), lr=META_LR)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(outer, META_STEPS, eta_min=1e-4)
batched = vmap(query_loss, in_dims=(None, 0, 0, 0, 0))
running = None
for step in range(META_STEPS):
    loss = batched(theta, *sample_tasks(TASKS)).mean()
    outer.zero_grad()
    loss.backward()
    outer.step()
    sched.step()
    running = loss.item() if running is None else 0.97 * running + 0.03 * loss.item()
    if step % 150 == 0 or step == META_STEPS - 1:
        print(f"meta-step {step:4d} query loss (smoothed) {running:.3f}")

for s in (0, 1, 5, 10):
    print(f"held-out tasks, {s:2d} adaptation steps: mse {evaluate(s):.3f}")
