"""
Viscous Burgers equation on [-1, 1] x [0, 1],  u_t + u u_x = nu u_xx,
u(x, 0) = -sin(pi x),  u(+-1, t) = 0.   Adam first, L-BFGS to polish.
Reference: method of lines with scipy (stiff integrator).
"""
import math

import numpy as np
import torch
from scipy.integrate import solve_ivp

torch.manual_seed(1)
torch.set_num_threads(1)
NU = 0.05


def reference(nx=201, nt=26):
    x = np.linspace(-1, 1, nx)
    h = x[1] - x[0]

    def rhs(_, u):
        d = np.zeros_like(u)
        d[1:-1] = -(u[2:] ** 2 - u[:-2] ** 2) / (4 * h) + NU * (u[2:] - 2 * u[1:-1] + u[:-2]) / h ** 2
        return d

    t = np.linspace(0, 1, nt)
    sol = solve_ivp(rhs, (0, 1), -np.sin(np.pi * x), method="LSODA", t_eval=t, rtol=1e-6, atol=1e-8)
    return x, t, sol.y.T


class Field(torch.nn.Module):
    def __init__(self, width=24, depth=3):
        super().__init__()
        sizes = [2] + [width] * depth
        self.hidden = torch.nn.ModuleList(torch.nn.Linear(a, b) for a, b in zip(sizes, sizes[1:]))
        self.last = torch.nn.Linear(width, 1)
        for l in [*self.hidden, self.last]:
            torch.nn.init.xavier_normal_(l.weight)
            torch.nn.init.zeros_(l.bias)

    def forward(self, x, t):
        h = torch.cat([x, 2 * t - 1], 1)
        for l in self.hidden:
            h = torch.tanh(l(h))
        return self.last(h)


def grad(y, v):
    return torch.autograd.grad(y, v, torch.ones_like(y), create_graph=True)[0]


def sobol(n, seed):
    s = torch.quasirandom.SobolEngine(2, scramble=True, seed=seed).draw(n)
    return 2 * s[:, :1] - 1, s[:, 1:]


xc, tc = sobol(700, 5)
xc.requires_grad_(True)
tc.requires_grad_(True)
x0 = torch.linspace(-1, 1, 80)[:, None]
u0 = -torch.sin(math.pi * x0)
tb = torch.linspace(0, 1, 40)[:, None]
net = Field()


def losses():
    u = net(xc, tc)
    ux = grad(u, xc)
    res = grad(u, tc) + u * ux - NU * grad(ux, xc)
    init = net(x0, torch.zeros_like(x0)) - u0
    left, right = net(-torch.ones_like(tb), tb), net(torch.ones_like(tb), tb)
    return res.square().mean(), init.square().mean(), (left.square() + right.square()).mean()


def total(parts):
    pde, ini, bnd = parts
    return pde + 5 * ini + 5 * bnd


xr, tr, ur = reference()
grid = [torch.tensor(g.reshape(-1, 1), dtype=torch.float32) for g in np.meshgrid(xr, tr)]
truth = torch.tensor(ur.reshape(-1, 1), dtype=torch.float32)


def rel_error():
    with torch.no_grad():
        return ((net(*grid) - truth).norm() / truth.norm()).item()


adam = torch.optim.Adam(net.parameters(), lr=5e-3)
decay = torch.optim.lr_scheduler.StepLR(adam, 300, 0.5)
for it in range(900):
    adam.zero_grad()
    parts = losses()
    loss = total(parts)
    loss.backward()
    adam.step()
    decay.step()
    if it % 100 == 0:
        print(f"adam {it:4d}  total {loss.item():.3e}  pde {parts[0].item():.2e} init {parts[1].item():.2e} bnd {parts[2].item():.2e}  rel.err {rel_error():.4f}")

lbfgs = torch.optim.LBFGS(net.parameters(), lr=1.0, max_iter=20, history_size=30, line_search_fn="strong_wolfe")


def closure():
    lbfgs.zero_grad()
    value = total(losses())
    value.backward()
    return value


for outer in range(14):
    value = lbfgs.step(closure)
    print(f"lbfgs {outer:3d}  total {value.item():.3e}  rel.err {rel_error():.4f}")

print(f"zero field rel.err 1.0000, network rel.err {rel_error():.4f}")
