import argparse
import math

import torch
import torch.nn as nn
from torch.autograd import grad

ap = argparse.ArgumentParser()
ap.add_argument("--alpha", type=float, default=0.1)
ap.add_argument("--adam-steps", type=int, default=1500)
ap.add_argument("--lbfgs-steps", type=int, default=150)
ap.add_argument("--points", type=int, default=400)
ap.add_argument("--w-initial", type=float, default=10.0)
ap.add_argument("--w-edge", type=float, default=10.0)
opt_args = ap.parse_args()

torch.manual_seed(0)
ALPHA = opt_args.alpha


def exact(t, x):
    """u_t = alpha u_xx on [0, 1], u(0, x) = sin(pi x) + 0.5 sin(3 pi x), u = 0 at both ends."""
    return (torch.exp(-ALPHA * math.pi ** 2 * t) * torch.sin(math.pi * x)
            + 0.5 * torch.exp(-9 * ALPHA * math.pi ** 2 * t) * torch.sin(3 * math.pi * x))


class Net(nn.Module):
    def __init__(self, width=32, depth=3):
        super().__init__()
        dims = [2] + [width] * depth
        self.hidden = nn.ModuleList(nn.Linear(a, b) for a, b in zip(dims, dims[1:]))
        self.out = nn.Linear(width, 1)
        for lin in self.hidden:
            nn.init.xavier_normal_(lin.weight)
            nn.init.zeros_(lin.bias)

    def forward(self, t, x):
        h = torch.cat([2 * t - 1, 2 * x - 1], dim=1)
        for lin in self.hidden:
            h = torch.tanh(lin(h))
        return self.out(h)


net = Net()
zero, one = torch.zeros(64, 1), torch.ones(64, 1)


def losses(n):
    t = torch.rand(n, 1).requires_grad_(True)
    x = torch.rand(n, 1).requires_grad_(True)
    u = net(t, x)
    u_t, u_x = grad(u.sum(), (t, x), create_graph=True)
    (u_xx,) = grad(u_x.sum(), x, create_graph=True)
    pde = (u_t - ALPHA * u_xx).square().mean()
    xi = torch.rand(64, 1)
    initial = (net(torch.zeros(64, 1), xi) - exact(zero, xi)).square().mean()
    te = torch.rand(64, 1)
    edge = (net(te, zero).square() + net(te, one).square()).mean()
    return pde, initial, edge


def total(parts):
    pde, initial, edge = parts
    return pde + opt_args.w_initial * initial + opt_args.w_edge * edge


@torch.no_grad()
def rel_error():
    g = torch.linspace(0, 1, 51)
    tt, xx = torch.meshgrid(g, g, indexing="ij")
    tt, xx = tt.reshape(-1, 1), xx.reshape(-1, 1)
    ref = exact(tt, xx)
    return ((net(tt, xx) - ref).norm() / ref.norm()).item()


def log(tag, step, parts):
    pde, initial, edge = (p.item() for p in parts)
    print(f"{tag} {step:5d}  pde {pde:.2e}  initial {initial:.2e}  edge {edge:.2e}  relative L2 error {rel_error():.4f}")


adam = torch.optim.Adam(net.parameters(), lr=3e-3)
sched = torch.optim.lr_scheduler.ExponentialLR(adam, 0.1 ** (1 / opt_args.adam_steps))
for step in range(1, opt_args.adam_steps + 1):
    parts = losses(opt_args.points)
    adam.zero_grad()
    total(parts).backward()
    adam.step()
    sched.step()
    if step % 250 == 0:
        log("adam", step, parts)

lbfgs = torch.optim.LBFGS(net.parameters(), max_iter=opt_args.lbfgs_steps, history_size=30, line_search_fn="strong_wolfe")
state = torch.get_rng_state()
last = []


def closure():
    torch.set_rng_state(state)
    lbfgs.zero_grad()
    last[:] = losses(opt_args.points)
    loss = total(last)
    loss.backward()
    return loss


lbfgs.step(closure)
log("lbfgs", opt_args.lbfgs_steps, last)
