"""MAML on sinusoid regression: 10 support points, one inner step in training, evaluated after 1, 3 and 5 steps on new tasks."""
import math

import torch
from torch import nn
from torch.func import functional_call, grad, vmap

torch.manual_seed(7)
SHOTS, QUERY, TASKS, META_STEPS = 10, 15, 24, 1000
INNER_LR, META_LR = 0.02, 2e-3


def tasks(n, gen):
    amp = 0.5 + 2.5 * torch.rand(n, 1, 1, generator=gen)
    phase = math.pi * torch.rand(n, 1, 1, generator=gen)

    def draw(k):
        x = 10 * torch.rand(n, k, 1, generator=gen) - 5
        return x, amp * torch.sin(x + phase)
    return draw(SHOTS), draw(QUERY)


net = nn.Sequential(nn.Linear(1, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, 1))
params = {k: v.detach().clone().requires_grad_(True) for k, v in net.named_parameters()}


def mse(p, x, y):
    return (functional_call(net, p, (x,)) - y).pow(2).mean()


def adapt(p, x, y, steps):
    for _ in range(steps):
        g = grad(mse)(p, x, y)
        p = {k: p[k] - INNER_LR * g[k] for k in p}
    return p


def meta_objective(p, support, query, steps=1):
    def one(xs, ys, xq, yq):
        return mse(adapt(p, xs, ys, steps), xq, yq)
    return vmap(one)(*support, *query)


opt = torch.optim.Adam(params.values(), lr=META_LR)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, META_STEPS)
train_gen = torch.Generator().manual_seed(100)
test_support, test_query = tasks(200, torch.Generator().manual_seed(200))


def report(step, running):
    with torch.no_grad():
        before = vmap(lambda x, y: mse(params, x, y))(*test_query).mean().item()
        after = [meta_objective(params, test_support, test_query, s).mean().item() for s in (1, 3, 5)]
    print(f"meta step {step:4d} train post-adaptation {running:.3f} | new tasks before {before:.3f} after 1/3/5 "
          + " ".join(f"{a:.3f}" for a in after))


running = None
for step in range(META_STEPS):
    support, query = tasks(TASKS, train_gen)
    loss = meta_objective(params, support, query).mean()
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(params.values(), 5.0)
    opt.step()
    sched.step()
    running = loss.item() if running is None else 0.95 * running + 0.05 * loss.item()
    if step % 150 == 0 or step == META_STEPS - 1:
        report(step, running)
