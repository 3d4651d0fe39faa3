"""Physics-informed network for an inverse heat problem.

u_t = alpha * u_xx on x in [0, 1], t in [0, 1];  u(0,t) = u(1,t) = 0;  u(x,0) = sin(pi x) + 0.5 sin(3 pi x)
alpha is unknown and is estimated together with the field from 80 noisy sensor readings (sensors.csv).
"""
import csv
import math
from pathlib import Path

import torch
import torch.nn as nn

torch.manual_seed(7)
torch.set_default_dtype(torch.float64)
TRUE_ALPHA = 0.08

rows = list(csv.DictReader(open(Path(__file__).parent / "sensors.csv")))
xt_obs = torch.tensor([[float(r["x"]), float(r["t"])] for r in rows])
u_obs = torch.tensor([[float(r["u"])] for r in rows])


def exact(xt):
    x, t = xt[:, :1], xt[:, 1:]
    k = math.pi
    return (torch.exp(-TRUE_ALPHA * k**2 * t) * torch.sin(k * x)
            + 0.5 * torch.exp(-TRUE_ALPHA * 9 * k**2 * t) * torch.sin(3 * k * x))


class Field(nn.Module):
    def __init__(self, width=28, depth=3):
        super().__init__()
        dims = [2] + [width] * depth
        self.hidden = nn.ModuleList(nn.Linear(a, b) for a, b in zip(dims[:-1], dims[1:]))
        self.out = nn.Linear(width, 1)
        for m in list(self.hidden) + [self.out]:
            nn.init.xavier_normal_(m.weight)
            nn.init.zeros_(m.bias)
        self.log_alpha = nn.Parameter(torch.tensor(math.log(0.3)))

    def forward(self, xt):
        h = 2 * xt - 1
        for m in self.hidden:
            h = torch.tanh(m(h))
        return self.out(h)


net = Field()
sobol = torch.quasirandom.SobolEngine(2, scramble=True, seed=1)
xt_f = sobol.draw(400).double()
x_i = torch.linspace(0, 1, 60)[:, None]
xt_i = torch.cat([x_i, torch.zeros_like(x_i)], 1)
u_i = exact(xt_i)
t_b = torch.linspace(0, 1, 40)[:, None]
xt_b = torch.cat([torch.cat([torch.zeros_like(t_b), t_b], 1), torch.cat([torch.ones_like(t_b), t_b], 1)])


def losses():
    xt = xt_f.clone().requires_grad_(True)
    u = net(xt)
    (du,) = torch.autograd.grad(u.sum(), xt, create_graph=True)
    (d2x,) = torch.autograd.grad(du[:, 0].sum(), xt, create_graph=True)
    res = du[:, 1:] - net.log_alpha.exp() * d2x[:, :1]
    return (res.pow(2).mean(), (net(xt_i) - u_i).pow(2).mean(),
            net(xt_b).pow(2).mean(), (net(xt_obs) - u_obs).pow(2).mean())


W = (1.0, 10.0, 10.0, 10.0)


def total():
    return sum(w * l for w, l in zip(W, losses()))


@torch.no_grad()
def rel_l2():
    g = torch.linspace(0, 1, 50)
    xt = torch.cartesian_prod(g, g)
    return ((net(xt) - exact(xt)).norm() / exact(xt).norm()).item()


adam = torch.optim.Adam(net.parameters(), lr=4e-3)
for step in range(700):
    adam.zero_grad()
    loss = total()
    loss.backward()
    adam.step()
    if step % 100 == 0:
        print(f"adam {step:4d} loss {loss.item():.3e} alpha {net.log_alpha.exp().item():.4f} relL2 {rel_l2():.3f}")

lbfgs = torch.optim.LBFGS(net.parameters(), lr=1.0, max_iter=40, history_size=50, line_search_fn="strong_wolfe")


def closure():
    lbfgs.zero_grad()
    loss = total()
    loss.backward()
    return loss


for outer in range(8):
    loss = lbfgs.step(closure)
    print(f"lbfgs {outer:3d} loss {loss.item():.3e} alpha {net.log_alpha.exp().item():.4f} relL2 {rel_l2():.4f}")

print("residual/ic/bc/data:", "  ".join(f"{l.item():.2e}" for l in losses()))
print(f"alpha estimate {net.log_alpha.exp().item():.4f}, true {TRUE_ALPHA}")
