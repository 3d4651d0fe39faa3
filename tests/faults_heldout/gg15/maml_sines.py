"""MAML on sinusoid regression: 10 support points, one inner step, vmap over tasks."""
import math
import time

import torch
from torch import nn
from torch.func import functional_call, grad, vmap

torch.manual_seed(12)
torch.set_num_threads(1)

K, TASKS, ITERS, INNER = 10, 16, 700, 0.02
gen = torch.Generator().manual_seed(100)
eval_gen = torch.Generator().manual_seed(999)


def tasks(n, g, wide=1.0):
    amp = 0.1 + 4.9 * torch.rand(n, 1, 1, generator=g)
    ph = wide * math.pi * torch.rand(n, 1, 1, generator=g)
    x = 10 * torch.rand(n, 2 * K, 1, generator=g) - 5
    y = amp * torch.sin(x + ph) + 0.05 * torch.randn(x.shape, generator=g)
    return x[:, :K], y[:, :K], x[:, K:], y[:, K:]


net = nn.Sequential(nn.Linear(1, 40), nn.Tanh(), nn.Linear(40, 40), nn.Tanh(), nn.Linear(40, 1))
with torch.no_grad():
    net[0].weight.uniform_(-1.2, 1.2)
    net[0].bias.uniform_(-3, 3)
theta = {k: v for k, v in net.named_parameters()}
gamma = {k: nn.Parameter(torch.full_like(v, math.log(INNER))) for k, v in net.named_parameters()}


def mse(params, x, y):
    return (functional_call(net, params, (x,)) - y).square().mean()


def adapted(params, rates, xs, ys):
    g = grad(mse)(params, xs, ys)
    return {k: params[k] - rates[k].exp() * g[k] for k in params}


def query_loss(params, rates, xs, ys, xq, yq):
    return mse(adapted(params, rates, xs, ys), xq, yq)


batched = vmap(query_loss, in_dims=(None, None, 0, 0, 0, 0))
before = vmap(mse, in_dims=(None, 0, 0))

outer = torch.optim.Adam([{"params": list(theta.values()), "lr": 4e-3}, {"params": list(gamma.values()), "lr": 1e-2}])
sched = torch.optim.lr_scheduler.CosineAnnealingLR(outer, ITERS, eta_min=1e-4)
held = tasks(400, eval_gen)


def evaluate():
    with torch.no_grad():
        pre = before(theta, held[2], held[3]).mean().item()
    post = batched(theta, gamma, *held).detach()
    return pre, post.mean().item(), post.median().item()


print(f"query variance over held-out tasks {held[3].square().mean().item():.3f}")
t0, avg = time.time(), None
for it in range(ITERS):
    wide = min(1.0, 0.4 + it / 500)
    loss = batched(theta, gamma, *tasks(TASKS, gen, wide)).mean()
    outer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(list(theta.values()), 10.0)
    outer.step()
    sched.step()
    avg = loss.item() if avg is None else 0.97 * avg + 0.03 * loss.item()
    if it % 100 == 99:
        pre, post, med = evaluate()
        print(f"{it + 1:5d}  meta-loss {avg:.3f}   held-out before {pre:.3f}  after one step {post:.3f} (median {med:.3f})  {time.time() - t0:.1f}s")
