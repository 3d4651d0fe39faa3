"""Physics-informed network for the 1-D heat equation
u_t = alpha * u_xx on x in [0, 1], t in [0, 1], u(0, t) = u(1, t) = 0,
u(x, 0) = sin(pi x) + 0.5 sin(3 pi x)."""
import math
import time

import torch
from torch import nn

ALPHA = 0.05
N_COL, N_BC, N_IC = 800, 100, 100
ADAM_STEPS, LBFGS_ROUNDS = 700, 12
W_BC, W_IC = 5.0, 20.0


class Field(nn.Module):
    def __init__(self, width=32, depth=3):
        super().__init__()
        sizes = [2] + [width] * depth + [1]
        self.linears = nn.ModuleList(nn.Linear(i, o) for i, o in zip(sizes, sizes[1:]))
        for lin in self.linears:
            nn.init.xavier_normal_(lin.weight)
            nn.init.zeros_(lin.bias)

    def forward(self, x, t):
        h = torch.cat([2 * x - 1, 2 * t - 1], dim=1)
        for lin in self.linears[:-1]:
            h = torch.tanh(lin(h))
        return self.linears[-1](h)


def initial(x):
    return torch.sin(math.pi * x) + 0.5 * torch.sin(3 * math.pi * x)


def exact(x, t):
    return (torch.exp(-ALPHA * math.pi ** 2 * t) * torch.sin(math.pi * x)
            + 0.5 * torch.exp(-9 * ALPHA * math.pi ** 2 * t) * torch.sin(3 * math.pi * x))


def grad(u, v):
    return torch.autograd.grad(u, v, torch.ones_like(u), create_graph=True)[0]


torch.manual_seed(0)
net = Field()
sobol = torch.quasirandom.SobolEngine(2, scramble=True, seed=0)
pts = sobol.draw(N_COL)
x_c = pts[:, :1].clone().requires_grad_()
t_c = pts[:, 1:].clone().requires_grad_()
t_b = torch.rand(N_BC, 1)
x_b = torch.cat([torch.zeros(N_BC // 2, 1), torch.ones(N_BC // 2, 1)])
x_i = torch.rand(N_IC, 1)
u_i = initial(x_i)


def loss_terms():
    u = net(x_c, t_c)
    u_x = grad(u, x_c)
    residual = grad(u, t_c) - ALPHA * grad(u_x, x_c)
    pde = residual.pow(2).mean()
    bc = net(x_b, t_b).pow(2).mean()
    ic = (net(x_i, torch.zeros_like(x_i)) - u_i).pow(2).mean()
    return pde, bc, ic


def rel_error():
    g = torch.linspace(0, 1, 60)
    x, t = torch.meshgrid(g, g, indexing="ij")
    x, t = x.reshape(-1, 1), t.reshape(-1, 1)
    with torch.no_grad():
        ref = exact(x, t)
        return ((net(x, t) - ref).norm() / ref.norm()).item()


start = time.time()
adam = torch.optim.Adam(net.parameters(), lr=3e-3)
decay = torch.optim.lr_scheduler.ExponentialLR(adam, gamma=0.998)
for it in range(1, ADAM_STEPS + 1):
    adam.zero_grad()
    pde, bc, ic = loss_terms()
    loss = pde + W_BC * bc + W_IC * ic
    loss.backward()
    adam.step()
    decay.step()
    if it % 100 == 0:
        print(f"adam {it:4d}  loss {loss.item():.3e}  pde {pde.item():.2e}  bc {bc.item():.2e}  "
              f"ic {ic.item():.2e}  rel.err {rel_error():.4f}")

lbfgs = torch.optim.LBFGS(net.parameters(), max_iter=20, history_size=30, line_search_fn="strong_wolfe")


def closure():
    lbfgs.zero_grad()
    pde, bc, ic = loss_terms()
    loss = pde + W_BC * bc + W_IC * ic
    loss.backward()
    return loss


for r in range(1, LBFGS_ROUNDS + 1):
    loss = lbfgs.step(closure)
    if r % 3 == 0:
        print(f"lbfgs {r:3d}  loss {loss.item():.3e}  rel.err {rel_error():.5f}")
print(f"final relative L2 error {rel_error():.5f}  ({time.time() - start:.1f} s)")
