"""Heat equation u_t = a u_xx on [0,1]x[0,1], u(0,t)=u(1,t)=0, u(x,0)=sin(pi x)+0.5 sin(3 pi x); Adam, then L-BFGS."""
import math

import torch
from torch import nn

A = 0.1
torch.manual_seed(2)


class Field(nn.Module):
    def __init__(self, width=32, depth=3):
        super().__init__()
        layers, d = [], 2
        for _ in range(depth):
            lin = nn.Linear(d, width)
            nn.init.xavier_normal_(lin.weight)
            nn.init.zeros_(lin.bias)
            layers += [lin, nn.Tanh()]
            d = width
        self.body = nn.Sequential(*layers, nn.Linear(d, 1))

    def forward(self, x, t):
        return self.body(torch.cat([2 * x - 1, 2 * t - 1], 1))


def initial(x):
    return torch.sin(math.pi * x) + 0.5 * torch.sin(3 * math.pi * x)


def exact(x, t):
    return (torch.exp(-A * math.pi ** 2 * t) * torch.sin(math.pi * x)
            + 0.5 * torch.exp(-9 * A * math.pi ** 2 * t) * torch.sin(3 * math.pi * x))


def residual(u_fn, x, t):
    x = x.requires_grad_(True)
    t = t.requires_grad_(True)
    u = u_fn(x, t)
    one = torch.ones_like(u)
    u_x, u_t = torch.autograd.grad(u, (x, t), one, create_graph=True)
    u_xx, = torch.autograd.grad(u_x, x, one, create_graph=True)
    return u_t - A * u_xx


def total_loss(net, pts):
    (xi, ti), x0, tb = pts
    pde = residual(net, xi, ti).pow(2).mean()
    ic = (net(x0, torch.zeros_like(x0)) - initial(x0)).pow(2).mean()
    bc = net(torch.zeros_like(tb), tb).pow(2).mean() + net(torch.ones_like(tb), tb).pow(2).mean()
    return pde + 10 * ic + 10 * bc, pde, ic, bc


def draw(n):
    return (torch.rand(n, 1), torch.rand(n, 1)), torch.rand(n // 4, 1), torch.rand(n // 4, 1)


gx, gt = torch.meshgrid(torch.linspace(0, 1, 41), torch.linspace(0, 1, 41), indexing="ij")
gx, gt = gx.reshape(-1, 1), gt.reshape(-1, 1)
ref = exact(gx, gt)


def rel_l2(net):
    with torch.no_grad():
        return ((net(gx, gt) - ref).norm() / ref.norm()).item()


net = Field()
adam = torch.optim.Adam(net.parameters(), lr=5e-3)
decay = torch.optim.lr_scheduler.ExponentialLR(adam, 0.998)
for it in range(1000):
    loss, pde, ic, bc = total_loss(net, draw(256))
    adam.zero_grad()
    loss.backward()
    adam.step()
    decay.step()
    if (it + 1) % 100 == 0:
        print(f"adam {it + 1:4d} loss {loss.item():.2e} pde {pde.item():.2e} ic {ic.item():.2e} bc {bc.item():.2e} rel-l2 {rel_l2(net):.4f}")

pts = draw(800)
lbfgs = torch.optim.LBFGS(net.parameters(), lr=1.0, max_iter=20, history_size=30, line_search_fn="strong_wolfe")


def closure():
    lbfgs.zero_grad()
    loss = total_loss(net, pts)[0]
    loss.backward()
    return loss


for outer in range(16):
    loss = lbfgs.step(closure)
    if outer % 2 == 1:
        print(f"lbfgs {outer + 1:3d} loss {loss.item():.2e} rel-l2 {rel_l2(net):.4f}")
