"""Model-agnostic meta-learning on sine waves: 8 points of a new wave, a few gradient steps, then predict the rest."""
import math

import torch
from torch.func import functional_call, grad, vmap

META_ITERS = 1400
TASKS = 16
SHOTS = 8
INNER_LR = 0.02
INNER_STEPS = 2
META_LR = 2e-3


class Regressor(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.seq = torch.nn.Sequential(torch.nn.Linear(1, 40), torch.nn.Tanh(), torch.nn.Linear(40, 40), torch.nn.Tanh(),
                                       torch.nn.Linear(40, 1))

    def forward(self, x):
        return self.seq(x / 2.0)


class Waves:
    """y = a sin(x + p),  a in [0.5, 3],  p in [0, pi],  x in [-5, 5]"""

    def __init__(self, seed):
        self.g = torch.Generator().manual_seed(seed)

    def rand(self, *shape):
        return torch.rand(*shape, generator=self.g)

    def batch(self, tasks, n):
        a = 0.5 + 2.5 * self.rand(tasks, 1, 1)
        p = math.pi * self.rand(tasks, 1, 1)
        x = 10 * self.rand(tasks, n, 1) - 5
        return x, a * torch.sin(x + p)


torch.manual_seed(0)
model = Regressor()


def mse(params, x, y):
    return (functional_call(model, params, (x,)) - y).square().mean()


def adapt(params, x, y, steps):
    for _ in range(steps):
        g = grad(mse)(params, x, y)
        params = {k: p - INNER_LR * g[k] for k, p in params.items()}
    return params


def query_loss(params, xs, ys, xq, yq):
    return mse(adapt(params, xs, ys, INNER_STEPS), xq, yq)


per_task = vmap(query_loss, in_dims=(None, 0, 0, 0, 0))
meta_opt = torch.optim.Adam(model.parameters(), lr=META_LR)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(meta_opt, META_ITERS)


def meta_test(n_tasks=200):
    x, y = Waves(seed=1234).batch(n_tasks, SHOTS + 50)
    params = {k: v.detach() for k, v in model.named_parameters()}
    row = []
    for steps in (0, 1, INNER_STEPS, 10):
        f = vmap(lambda xs, ys, xq, yq: mse(adapt(params, xs, ys, steps), xq, yq))
        row.append(f(x[:, :SHOTS], y[:, :SHOTS], x[:, SHOTS:], y[:, SHOTS:]).mean().item())
    return row


waves = Waves(seed=7)
window = []
for it in range(1, META_ITERS + 1):
    x, y = waves.batch(TASKS, 2 * SHOTS)
    params = dict(model.named_parameters())
    loss = per_task(params, x[:, :SHOTS], y[:, :SHOTS], x[:, SHOTS:], y[:, SHOTS:]).mean()
    meta_opt.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
    meta_opt.step()
    sched.step()
    window.append(loss.item())
    if it % 200 == 0:
        e0, e1, e2, e10 = meta_test()
        print(f"iter {it:5d}  query loss {sum(window) / len(window):.3f}   new waves: before {e0:.2f}, after 1 step {e1:.2f}, "
              f"{INNER_STEPS} steps {e2:.2f}, 10 steps {e10:.2f}")
        window.clear()
