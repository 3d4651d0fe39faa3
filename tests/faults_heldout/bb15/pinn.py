"""Physics-informed network for a damped oscillator
       m u'' + c u' + k u = 0,   u(0) = 1,  u'(0) = 0
No solution data are used for training; the closed form is only the check at the end.
"""
import math

import torch
from torch import nn

torch.set_default_dtype(torch.float64)
torch.manual_seed(0)

M, C, K = 1.0, 0.5, 9.0
T_END = 4.0


class Net(nn.Module):
    def __init__(self, width=24, depth=3):
        super().__init__()
        layers, n = [], 1
        for _ in range(depth):
            lin = nn.Linear(n, width)
            nn.init.xavier_normal_(lin.weight)
            layers += [lin, nn.Tanh()]
            n = width
        self.f = nn.Sequential(*layers, nn.Linear(n, 1))

    def forward(self, t):
        # u(0) = 1 and u'(0) = 0 hold by construction
        return 1.0 + t ** 2 * self.f(t / T_END * 2 - 1) / 2


def residual(net, t):
    t = t.clone().requires_grad_(True)
    u = net(t)
    du, = torch.autograd.grad(u, t, torch.ones_like(u), create_graph=True)
    d2u, = torch.autograd.grad(du, t, torch.ones_like(du), create_graph=True)
    return M * d2u + C * du + K * u


def exact(t):
    d = C / (2 * M)
    w = math.sqrt(K / M - d * d)
    return torch.exp(-d * t) * (torch.cos(w * t) + d / w * torch.sin(w * t))


def main():
    net = Net()
    colloc = torch.linspace(0, T_END, 160).unsqueeze(1)
    # errors at early times spread to all later ones
    weight = torch.exp(-0.5 * colloc)

    def objective():
        return (weight * residual(net, colloc) ** 2).mean()

    t_check = torch.linspace(0, T_END, 401).unsqueeze(1)

    def rel_error():
        with torch.no_grad():
            return ((net(t_check) - exact(t_check)).norm() / exact(t_check).norm()).item()

    opt = torch.optim.Adam(net.parameters(), lr=5e-3)
    for it in range(1, 601):
        opt.zero_grad()
        loss = objective()
        loss.backward()
        opt.step()
        if it % 200 == 0:
            print(f"adam  {it:5d}  residual {loss.item():.3e}  rel. error {rel_error():.3e}")

    lbfgs = torch.optim.LBFGS(net.parameters(), lr=1.0, max_iter=100, history_size=50, line_search_fn="strong_wolfe",
                              tolerance_grad=1e-10, tolerance_change=1e-14)

    def closure():
        lbfgs.zero_grad()
        loss = objective()
        loss.backward()
        return loss

    for outer in range(1, 9):
        loss = lbfgs.step(closure)
        print(f"lbfgs {outer * 100:5d}  residual {loss.item():.3e}  rel. error {rel_error():.3e}")


if __name__ == "__main__":
    main()
