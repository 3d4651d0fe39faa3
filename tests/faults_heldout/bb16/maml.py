"""MAML on sinusoid regression: 10 support points, inner gradient steps, second-order outer gradient."""
import argparse
import math

import torch
from torch import nn
from torch.func import functional_call, grad, vmap


class Net(nn.Sequential):
    def __init__(self, h=40):
        super().__init__(nn.Linear(1, h), nn.ReLU(), nn.Linear(h, h), nn.ReLU(), nn.Linear(h, 1))


def sample_tasks(n, k):
    """Amplitude 1..5, phase 0..pi; returns support and query sets of k points for every task."""
    amp = torch.empty(n, 1, 1).uniform_(1.0, 5.0)
    phase = torch.empty(n, 1, 1).uniform_(0, math.pi)
    x = torch.empty(n, 2 * k, 1).uniform_(-5, 5)
    y = amp * torch.sin(x - phase)
    return x[:, :k], y[:, :k], x[:, k:], y[:, k:]


class MAML:
    def __init__(self, net, inner_lr):
        self.net = net
        self.inner_lr = inner_lr

    def task_loss(self, weights, x, y):
        return nn.functional.mse_loss(functional_call(self.net, weights, (x,)), y)

    def query_loss(self, weights, xs, ys, xq, yq, steps):
        for _ in range(steps):
            g = grad(self.task_loss)(weights, xs, ys)
            weights = {k: w - self.inner_lr * g[k] for k, w in weights.items()}
        return self.task_loss(weights, xq, yq)

    def losses(self, tasks, steps):
        """Query loss of every task after `steps` steps on its support set."""
        weights = dict(self.net.named_parameters())
        return vmap(lambda a, b, c, d: self.query_loss(weights, a, b, c, d, steps))(*tasks)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--iterations", type=int, default=800)
    p.add_argument("--meta-batch", type=int, default=20)
    p.add_argument("--shots", type=int, default=10)
    p.add_argument("--inner-lr", type=float, default=0.02)
    p.add_argument("--inner-steps", type=int, default=2)
    p.add_argument("--meta-lr", type=float, default=4e-3)
    a = p.parse_args()
    torch.manual_seed(0)
    test_tasks = sample_tasks(200, a.shots)
    net = Net()
    maml = MAML(net, a.inner_lr)
    meta = torch.optim.Adam(net.parameters(), lr=a.meta_lr)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(meta, a.iterations)
    running = 0.0
    for it in range(1, a.iterations + 1):
        outer = maml.losses(sample_tasks(a.meta_batch, a.shots), a.inner_steps).mean()
        meta.zero_grad()
        outer.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 10.0)
        meta.step()
        sched.step()
        running += outer.item()
        if it % 100 == 0:
            with torch.no_grad():
                at = [maml.losses(test_tasks, s).mean().item() for s in (0, 1, 10)]
            print(f"iter {it:5d}  outer loss {running / 100:.3f}  test mse: no step {at[0]:.3f}, "
                  f"1 step {at[1]:.3f}, 10 steps {at[2]:.3f}")
            running = 0.0


if __name__ == "__main__":
    main()
