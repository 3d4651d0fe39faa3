"""Model-agnostic meta-learning on sinusoids with torch.func (one inner gradient step in training)."""
import math

import torch
from torch import nn
from torch.func import functional_call, grad, vmap

INNER_LR, TASKS, SHOTS, STEPS = 0.02, 25, 10, 1500


def sample_tasks(n, shots, queries, g):
    amp = torch.rand(n, 1, 1, generator=g) * 4.9 + 0.1
    phase = torch.rand(n, 1, 1, generator=g) * math.pi
    x = torch.rand(n, shots + queries, 1, generator=g) * 10 - 5
    y = amp * torch.sin(x + phase)
    return x[:, :shots], y[:, :shots], x[:, shots:], y[:, shots:]


class Net(nn.Module):
    def __init__(self, h=40):
        super().__init__()
        self.a, self.b, self.c = nn.Linear(1, h), nn.Linear(h, h), nn.Linear(h, 1)

    def forward(self, x):
        return self.c(torch.relu(self.b(torch.relu(self.a(x)))))


net = None


def task_loss(params, x, y):
    return nn.functional.mse_loss(functional_call(net, params, (x,)), y)


def adapt(params, x, y, steps=1):
    for _ in range(steps):
        g = grad(task_loss)(params, x, y)
        params = {k: p - INNER_LR * g[k] for k, p in params.items()}
    return params


def outer(params, xs, ys, xq, yq, steps=1):
    return task_loss(adapt(params, xs, ys, steps), xq, yq)


def main():
    global net
    torch.manual_seed(0)
    net = Net()
    params = {k: v.detach().clone().requires_grad_(True) for k, v in net.named_parameters()}
    opt = torch.optim.Adam(params.values(), lr=2e-3)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, STEPS, eta_min=2e-4)
    train_rng = torch.Generator().manual_seed(1)
    val_tasks = sample_tasks(200, SHOTS, 40, torch.Generator().manual_seed(2))
    batched = vmap(outer, in_dims=(None, 0, 0, 0, 0))

    def validate():
        frozen = {k: v.detach() for k, v in params.items()}
        out = []
        for steps in (0, 1, 5):
            f = vmap(lambda *t: outer(frozen, *t, steps=steps))
            out.append(f(*val_tasks).mean().item())
        return out

    smooth = None
    for step in range(1, STEPS + 1):
        loss = batched(params, *sample_tasks(TASKS, SHOTS, SHOTS, train_rng)).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        smooth = loss.item() if smooth is None else 0.98 * smooth + 0.02 * loss.item()
        if step % 250 == 0:
            zero, one, five = validate()
            print(f"{step:5d}  meta loss {smooth:.3f}  | held-out mse: no step {zero:.3f}, 1 step {one:.3f}, 5 steps {five:.3f}")


if __name__ == "__main__":
    main()
