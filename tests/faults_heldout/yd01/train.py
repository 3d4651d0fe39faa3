"""Few-shot sinusoid regression: second-order MAML written with torch.func."""
import argparse
import math
import time

import torch
import torch.nn as nn
from torch.func import functional_call, grad, vmap


def get_args():
    p = argparse.ArgumentParser()
    p.add_argument("--meta-lr", type=float, default=1e-3)
    p.add_argument("--inner-lr", type=float, default=0.02)
    p.add_argument("--inner-steps", type=int, default=2)
    p.add_argument("--tasks", type=int, default=24)
    p.add_argument("--shots", type=int, default=10)
    p.add_argument("--iters", type=int, default=2400)
    p.add_argument("--seed", type=int, default=11)
    return p.parse_args()


class Sinusoids:
    """Task distribution: y = A sin(x - phi) with A in [0.5, 3], phi in [0, pi]."""

    def __init__(self, seed):
        self.gen = torch.Generator().manual_seed(seed)

    def sample(self, tasks, shots, queries):
        g = self.gen
        amp = 0.5 + 2.5 * torch.rand(tasks, 1, 1, generator=g)
        phi = math.pi * torch.rand(tasks, 1, 1, generator=g)
        x = 10 * torch.rand(tasks, shots + queries, 1, generator=g) - 5
        y = amp * torch.sin(x - phi)
        return x[:, :shots], y[:, :shots], x[:, shots:], y[:, shots:]


def build_net():
    return nn.Sequential(nn.Linear(1, 40), nn.Tanh(), nn.Linear(40, 40), nn.Tanh(), nn.Linear(40, 1))


def main():
    args = get_args()
    torch.manual_seed(args.seed)
    net = build_net()
    params = {k: v.detach().clone().requires_grad_(True) for k, v in net.named_parameters()}
    opt = torch.optim.Adam(list(params.values()), lr=args.meta_lr)

    def mse(p, x, y):
        return ((functional_call(net, p, (x,)) - y) ** 2).mean()

    def adapt(p, x, y, steps):
        for _ in range(steps):
            g = grad(mse)(p, x, y)
            p = {k: p[k] - args.inner_lr * g[k] for k in p}
        return p

    def task_loss(p, xs, ys, xq, yq):
        return mse(adapt(p, xs, ys, args.inner_steps), xq, yq)

    def evaluate(p, steps, tasks=200):
        data = Sinusoids(seed=4321).sample(tasks, args.shots, 50)
        fixed = {k: v.detach() for k, v in p.items()}

        def one(xs, ys, xq, yq):
            return mse(adapt(fixed, xs, ys, steps), xq, yq)

        return vmap(one)(*data).mean().item()

    train_tasks = Sinusoids(seed=args.seed)
    start = time.time()
    for it in range(1, args.iters + 1):
        batch = train_tasks.sample(args.tasks, args.shots, args.shots)
        loss = vmap(task_loss, in_dims=(None, 0, 0, 0, 0))(params, *batch).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        if it % 240 == 0:
            print(f"iter {it:5d}  meta-loss {loss.item():.3f}  query mse: no adaptation {evaluate(params, 0):.3f}"
                  f"  1 step {evaluate(params, 1):.3f}  5 steps {evaluate(params, 5):.3f}  [{time.time() - start:.1f}s]")


if __name__ == "__main__":
    main()
