"""Heat equation u_t = a u_xx on (0,1) x (0,0.5), u = 0 at the ends, solved with a PINN.

Adam first, then L-BFGS on a fixed set of collocation points.
"""
import math

import torch
from torch import nn

A = 0.1
torch.manual_seed(17)


def u0(x):
    return torch.sin(math.pi * x) + 0.5 * torch.sin(3 * math.pi * x)


def exact(x, t):
    return (math.e ** (-A * math.pi ** 2 * t) * torch.sin(math.pi * x)
            + 0.5 * math.e ** (-9 * A * math.pi ** 2 * t) * torch.sin(3 * math.pi * x))


class Field(nn.Module):
    def __init__(self, width=32, depth=3):
        super().__init__()
        dims = [2] + [width] * depth
        self.hidden = nn.ModuleList(nn.Linear(i, o) for i, o in zip(dims, dims[1:]))
        self.last = nn.Linear(width, 1)
        for m in [*self.hidden, self.last]:
            nn.init.xavier_normal_(m.weight)
            nn.init.zeros_(m.bias)

    def forward(self, x, t):
        h = torch.cat([2 * x - 1, 4 * t - 1], 1)
        for m in self.hidden:
            h = torch.tanh(m(h))
        return x * (1 - x) * 4 * self.last(h)


def grad(y, v):
    return torch.autograd.grad(y.sum(), v, create_graph=True)[0]


def residual(net, x, t):
    x = x.requires_grad_(True)
    t = t.requires_grad_(True)
    u = net(x, t)
    return grad(u, t) - A * grad(grad(u, x), x)


def objective(net, xc, tc, xi):
    pde = residual(net, xc, tc).pow(2).mean()
    init = (net(xi, torch.zeros_like(xi)) - u0(xi)).pow(2).mean()
    return pde + 10.0 * init, pde, init


gx, gt = torch.meshgrid(torch.linspace(0, 1, 61), torch.linspace(0, 0.5, 41), indexing="ij")
gx, gt = gx.reshape(-1, 1), gt.reshape(-1, 1)


@torch.no_grad()
def rel_l2(net):
    e = exact(gx, gt)
    return ((net(gx, gt) - e).norm() / e.norm()).item()


net = Field()
opt = torch.optim.Adam(net.parameters(), lr=5e-3)
sched = torch.optim.lr_scheduler.ExponentialLR(opt, 0.997)
for it in range(1, 801):
    xc, tc, xi = torch.rand(256, 1), 0.5 * torch.rand(256, 1), torch.rand(64, 1)
    loss, pde, init = objective(net, xc, tc, xi)
    opt.zero_grad()
    loss.backward()
    opt.step()
    sched.step()
    if it % 200 == 0:
        print(f"adam {it:5d}  loss {loss.item():.2e}  pde {pde.item():.2e}  "
              f"init {init.item():.2e}  rel L2 {rel_l2(net):.4f}")

sobol = torch.quasirandom.SobolEngine(2, seed=17).draw(512)
xc, tc, xi = sobol[:, :1].clone(), 0.5 * sobol[:, 1:].clone(), torch.linspace(0, 1, 101).unsqueeze(1)
fine = torch.optim.LBFGS(net.parameters(), lr=1.0, max_iter=20, history_size=30, line_search_fn="strong_wolfe")


def closure():
    fine.zero_grad()
    loss, _, _ = objective(net, xc, tc, xi)
    loss.backward()
    return loss


for k in range(1, 10):
    loss = fine.step(closure)
    if k % 3 == 0:
        print(f"lbfgs {20 * k:4d}  loss {loss.item():.2e}  rel L2 {rel_l2(net):.5f}")
