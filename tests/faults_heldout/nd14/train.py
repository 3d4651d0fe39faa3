"""MAML on sinusoid regression: ten shots, one inner step in training, up to five at test time."""
import argparse

import torch
from torch import nn
from torch.func import functional_call, grad, vmap


def sample_tasks(n, k_shot, k_query, gen):
    amp = 0.1 + 4.9 * torch.rand(n, 1, 1, generator=gen)
    phase = torch.pi * torch.rand(n, 1, 1, generator=gen)
    x = -5 + 10 * torch.rand(n, k_shot + k_query, 1, generator=gen)
    y = amp * torch.sin(x - phase)
    return x[:, :k_shot], y[:, :k_shot], x[:, k_shot:], y[:, k_shot:]


class Sine(nn.Module):
    def __init__(self, hidden=40):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(1, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, 1))

    def forward(self, x):
        return self.layers(x)


class MAML:
    def __init__(self, net, inner_lr):
        self.net, self.inner_lr = net, inner_lr

    def task_loss(self, params, x, y):
        return (functional_call(self.net, params, (x,)) - y).pow(2).mean()

    def adapt(self, params, x, y, steps):
        for _ in range(steps):
            g = grad(self.task_loss)(params, x, y)
            params = {k: p - self.inner_lr * g[k] for k, p in params.items()}
        return params

    def query_loss(self, tasks, steps):
        params = dict(self.net.named_parameters())

        def one(xs, ys, xq, yq):
            return self.task_loss(self.adapt(params, xs, ys, steps), xq, yq)

        return vmap(one)(*tasks)


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--meta-steps", type=int, default=2500)
    ap.add_argument("--tasks", type=int, default=25)
    ap.add_argument("--shots", type=int, default=10)
    ap.add_argument("--inner-lr", type=float, default=0.01)
    ap.add_argument("--outer-lr", type=float, default=2e-3)
    opts = ap.parse_args()
    torch.manual_seed(0)
    gen = torch.Generator().manual_seed(1)
    net = Sine()
    maml = MAML(net, opts.inner_lr)
    optimizer = torch.optim.Adam(net.parameters(), lr=opts.outer_lr)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, opts.meta_steps, eta_min=1e-5)
    held_out = sample_tasks(600, opts.shots, 40, torch.Generator().manual_seed(77))
    smooth = None
    for step in range(1, opts.meta_steps + 1):
        loss = maml.query_loss(sample_tasks(opts.tasks, opts.shots, opts.shots, gen), 1).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step()
        smooth = loss.item() if smooth is None else 0.98 * smooth + 0.02 * loss.item()
        if step % 250 == 0:
            with torch.no_grad():
                v = [maml.query_loss(held_out, k).mean().item() for k in (0, 1, 5)]
            print(f"meta step {step:5d}  query loss (smoothed) {smooth:.3f}  held-out tasks: "
                  f"no update {v[0]:.3f}  1 step {v[1]:.3f}  5 steps {v[2]:.3f}", flush=True)
