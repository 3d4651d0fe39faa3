"""MAML on random sinusoids: learn an initialisation that adapts to a new wave from ten points."""
from dataclasses import dataclass
from functools import partial

import torch
from torch import nn
from torch.func import functional_call, grad, vmap


@dataclass
class Cfg:
    meta_steps: int = 1200
    tasks: int = 20
    shots: int = 10
    inner_lr: float = 0.02
    inner_steps: int = 2
    test_steps: int = 8
    meta_lr: float = 2e-3
    seed: int = 0


def sample_tasks(n, shots, gen):
    amp = torch.rand(n, 1, 1, generator=gen) * 4.0 + 0.5
    phase = torch.rand(n, 1, 1, generator=gen) * 3.14159
    x = torch.rand(n, 2 * shots, 1, generator=gen) * 10 - 5
    y = amp * torch.sin(x + phase)
    return x[:, :shots], y[:, :shots], x[:, shots:], y[:, shots:]


def mse(net, params, x, y):
    return (functional_call(net, params, (x,)) - y).pow(2).mean()


def adapt(net, params, x, y, lr, steps):
    for _ in range(steps):
        g = grad(lambda p: mse(net, p, x, y))(params)
        params = {k: params[k] - lr * g[k] for k in params}
    return params


def task_loss(net, params, xs, ys, xq, yq, lr, steps):
    return mse(net, adapt(net, params, xs, ys, lr, steps), xq, yq)


def main():
    c = Cfg()
    torch.manual_seed(c.seed)
    gen = torch.Generator().manual_seed(c.seed + 1)
    net = nn.Sequential(nn.Linear(1, 40), nn.ReLU(), nn.Linear(40, 40), nn.ReLU(), nn.Linear(40, 1))
    opt = torch.optim.Adam(net.parameters(), lr=c.meta_lr)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, c.meta_steps, eta_min=1e-4)
    held_out = sample_tasks(200, c.shots, torch.Generator().manual_seed(77))

    def batch_loss(params, batch, steps):
        f = partial(task_loss, net, params, lr=c.inner_lr, steps=steps)
        return vmap(lambda a, b, d, e: f(a, b, d, e))(*batch)

    for step in range(1, c.meta_steps + 1):
        params = dict(net.named_parameters())
        loss = batch_loss(params, sample_tasks(c.tasks, c.shots, gen), c.inner_steps).mean()
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 10.0)
        opt.step()
        sched.step()
        if step % 100 == 0:
            frozen = {k: v.detach() for k, v in net.named_parameters()}
            line = "  ".join(f"{k} steps {batch_loss(frozen, held_out, k).mean().item():.3f}"
                             for k in (0, c.inner_steps, c.test_steps))
            print(f"meta {step:5d}  query {loss.item():.3f} | held-out mse: {line}")


if __name__ == "__main__":
    main()
