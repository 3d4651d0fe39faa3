"""Few-shot sinusoid regression with second-order MAML (torch.func, tasks vmapped)."""
import argparse
import math

import torch
from torch import nn
from torch.func import functional_call, grad, vmap


def sample_tasks(n_tasks, k, gen):
    amp = torch.empty(n_tasks, 1, 1).uniform_(0.5, 3.0, generator=gen)
    phase = torch.empty(n_tasks, 1, 1).uniform_(0.0, math.pi, generator=gen)
    x = torch.empty(n_tasks, 2 * k, 1).uniform_(-4.0, 4.0, generator=gen)
    y = amp * torch.sin(x + phase)
    return x[:, :k], y[:, :k], x[:, k:], y[:, k:]


def make_net(width):
    return nn.Sequential(nn.Linear(1, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 1))


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--iters", type=int, default=1200)
    p.add_argument("--tasks", type=int, default=20)
    p.add_argument("--shots", type=int, default=10)
    p.add_argument("--inner-lr", type=float, default=0.04)
    p.add_argument("--inner-steps", type=int, default=3)
    p.add_argument("--outer-lr", type=float, default=3e-3)
    p.add_argument("--width", type=int, default=64)
    args = p.parse_args()

    torch.manual_seed(17)
    gen = torch.Generator().manual_seed(5)
    net = make_net(args.width)
    params = dict(net.named_parameters())

    def predict(p, x):
        return functional_call(net, p, (x,))

    def support_loss(p, x, y):
        return ((predict(p, x) - y) ** 2).mean()

    inner_grad = grad(support_loss)

    def adapt(p, x, y, steps):
        for _ in range(steps):
            g = inner_grad(p, x, y)
            p = {k: v - args.inner_lr * g[k] for k, v in p.items()}
        return p

    def query_loss(p, xs, ys, xq, yq):
        return support_loss(adapt(p, xs, ys, args.inner_steps), xq, yq)

    batched = vmap(query_loss, in_dims=(None, 0, 0, 0, 0))
    batched_before = vmap(support_loss, in_dims=(None, 0, 0))

    opt = torch.optim.Adam(net.parameters(), lr=args.outer_lr)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, args.iters, eta_min=1e-5)
    heldout = sample_tasks(300, args.shots, torch.Generator().manual_seed(99))

    run = 0.0
    for it in range(1, args.iters + 1):
        loss = batched(params, *sample_tasks(args.tasks, args.shots, gen)).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        run += loss.item()
        if it % 200 == 0:
            with torch.no_grad():
                before = batched_before(params, heldout[2], heldout[3]).mean().item()
                after = batched(params, *heldout).mean().item()
            print(f"iter {it:5d}  meta-train {run / 200:.4f}  heldout before {before:.3f} -> after {args.inner_steps} steps {after:.4f}")
            run = 0.0


if __name__ == "__main__":
    main()
