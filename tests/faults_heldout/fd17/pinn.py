"""Physics-informed network for the 1-D heat equation u_t = a u_xx with Dirichlet walls.

u(x, 0) = sin(pi x) + 0.5 sin(2 pi x),  u(0, t) = u(1, t) = 0,  exact solution known.
"""
import argparse
import math

import torch
from torch import nn

A = 0.1


def exact(x, t):
    s = torch.sin(math.pi * x) * torch.exp(-A * math.pi ** 2 * t)
    return s + 0.5 * torch.sin(2 * math.pi * x) * torch.exp(-4 * A * math.pi ** 2 * t)


class Field(nn.Module):
    def __init__(self, width=32, depth=3):
        super().__init__()
        layers, d = [], 2
        for _ in range(depth):
            layers += [nn.Linear(d, width), nn.Tanh()]
            d = width
        self.net = nn.Sequential(*layers, nn.Linear(d, 1))
        for m in self.net:
            if isinstance(m, nn.Linear):
                nn.init.xavier_normal_(m.weight)
                nn.init.zeros_(m.bias)

    def forward(self, x, t):
        return self.net(torch.cat([2 * x - 1, 2 * t - 1], dim=1))


def pde_residual(field, x, t):
    x.requires_grad_(True)
    t.requires_grad_(True)
    u = field(x, t)
    u_x, u_t = torch.autograd.grad(u.sum(), (x, t), create_graph=True)
    u_xx, = torch.autograd.grad(u_x.sum(), x, create_graph=True)
    return u_t - A * u_xx


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--iters", type=int, default=3500)
    ap.add_argument("--n-interior", type=int, default=256)
    ap.add_argument("--n-boundary", type=int, default=64)
    ap.add_argument("--w-data", type=float, default=20.0)
    args = ap.parse_args()

    torch.manual_seed(12)
    field = Field()
    opt = torch.optim.Adam(field.parameters(), lr=4e-3)
    sched = torch.optim.lr_scheduler.ExponentialLR(opt, gamma=0.02 ** (1 / args.iters))

    gx, gt = torch.meshgrid(torch.linspace(0, 1, 41), torch.linspace(0, 1, 41), indexing="ij")
    gx, gt = gx.reshape(-1, 1), gt.reshape(-1, 1)
    u_true = exact(gx, gt)

    for it in range(1, args.iters + 1):
        res = pde_residual(field, torch.rand(args.n_interior, 1), torch.rand(args.n_interior, 1))
        x0 = torch.rand(args.n_boundary, 1)
        tb = torch.rand(args.n_boundary, 1)
        initial = field(x0, torch.zeros_like(x0)) - exact(x0, torch.zeros_like(x0))
        wall = torch.cat([field(torch.zeros_like(tb), tb), field(torch.ones_like(tb), tb)])
        loss_pde, loss_ic, loss_bc = res.pow(2).mean(), initial.pow(2).mean(), wall.pow(2).mean()
        loss = loss_pde + args.w_data * (loss_ic + loss_bc)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        if it % 350 == 0:
            with torch.no_grad():
                err = (field(gx, gt) - u_true).norm() / u_true.norm()
            print(f"it {it:5d}  pde {loss_pde.item():.2e}  ic {loss_ic.item():.2e}  bc {loss_bc.item():.2e}  rel L2 error {err:.4f}")


if __name__ == "__main__":
    main()
