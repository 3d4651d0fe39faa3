"""Physics-informed network for the damped oscillator  u'' + 2 d u' + w^2 u = 0,  u(0)=1, u'(0)=0."""
import argparse
import math

import torch
from torch import nn


def exact(t, d, w):
    wd = math.sqrt(w * w - d * d)
    return torch.exp(-d * t) * (torch.cos(wd * t) + d / wd * torch.sin(wd * t))


class Net(nn.Module):
    def __init__(self, horizon, width=32, depth=3):
        super().__init__()
        self.horizon = horizon
        layers, n = [], 1
        for _ in range(depth):
            layers += [nn.Linear(n, width), nn.Tanh()]
            n = width
        self.body = nn.Sequential(*layers, nn.Linear(n, 1))
        for m in self.body:
            if isinstance(m, nn.Linear):
                nn.init.xavier_normal_(m.weight)
                nn.init.zeros_(m.bias)

    def forward(self, t):
        return self.body(2 * t / self.horizon - 1)


def grad(u, t):
    return torch.autograd.grad(u, t, torch.ones_like(u), create_graph=True)[0]


def losses(net, t, t0, d, w):
    u = net(t)
    du = grad(u, t)
    ddu = grad(du, t)
    residual = (ddu + 2 * d * du + w * w * u) / (w * w)
    u0 = net(t0)
    initial = (u0 - 1).pow(2).mean() + (grad(u0, t0) / w).pow(2).mean()
    return residual.pow(2).mean(), initial


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--damping", type=float, default=0.5)
    p.add_argument("--omega", type=float, default=4.0)
    p.add_argument("--horizon", type=float, default=3.0)
    p.add_argument("--adam-steps", type=int, default=800)
    p.add_argument("--lbfgs-steps", type=int, default=60)
    a = p.parse_args()
    torch.manual_seed(6)
    net = Net(a.horizon)
    t0 = torch.zeros(1, 1, requires_grad=True)
    grid = torch.linspace(0, a.horizon, 301).unsqueeze(1)
    truth = exact(grid, a.damping, a.omega)

    @torch.no_grad()
    def rel_error():
        return ((net(grid) - truth).norm() / truth.norm()).item()

    adam = torch.optim.Adam(net.parameters(), lr=3e-3)
    for step in range(a.adam_steps):
        t = (torch.rand(128, 1) * a.horizon).requires_grad_(True)
        adam.zero_grad()
        r, i = losses(net, t, t0, a.damping, a.omega)
        loss = r + 5.0 * i
        loss.backward()
        adam.step()
        if step % 200 == 199:
            print(f"adam {step + 1:5d}  residual {r.item():.2e}  initial {i.item():.2e}  rel. error {rel_error():.4f}")

    t = torch.linspace(0, a.horizon, 200).unsqueeze(1).requires_grad_(True)
    lbfgs = torch.optim.LBFGS(net.parameters(), lr=1.0, max_iter=10, history_size=30, line_search_fn="strong_wolfe")

    def closure():
        lbfgs.zero_grad()
        r, i = losses(net, t, t0, a.damping, a.omega)
        loss = r + 5.0 * i
        loss.backward()
        return loss

    for step in range(a.lbfgs_steps):
        loss = lbfgs.step(closure)
        if step % 15 == 14:
            print(f"lbfgs {step + 1:4d}  loss {loss.item():.2e}  rel. error {rel_error():.5f}")


if __name__ == "__main__":
    main()
