"""PINN for a damped oscillator  u'' + 2*d*u' + w0^2*u = 0,  u(0) = 1, u'(0) = 0.

Adam first, L-BFGS to polish.  Losses are written out by hand.
"""
import math

import torch

D, W0, T = 0.6, 5.0, 2.0
torch.manual_seed(42)


def exact(t):
    w = math.sqrt(W0 ** 2 - D ** 2)
    phi = math.atan(-D / w)
    return torch.exp(-D * t) * torch.cos(phi + w * t) / math.cos(phi)


class Net(torch.nn.Module):
    def __init__(self, h=32, depth=3):
        super().__init__()
        dims = [1] + [h] * depth + [1]
        self.layers = torch.nn.ModuleList(torch.nn.Linear(a, b) for a, b in zip(dims, dims[1:]))

    def forward(self, t):
        z = 2 * t / T - 1
        for l in self.layers[:-1]:
            z = torch.tanh(l(z))
        return self.layers[-1](z)


def grad(u, t):
    return torch.autograd.grad(u, t, torch.ones_like(u), create_graph=True)[0]


def losses(net, t):
    t = t.requires_grad_(True)
    u = net(t)
    du = grad(u, t)
    ddu = grad(du, t)
    physics = ((ddu + 2 * D * du + W0 ** 2 * u) / W0 ** 2).pow(2).mean()
    t0 = torch.zeros(1, 1, requires_grad=True)
    u0 = net(t0)
    ic = (u0 - 1).pow(2).sum() + 0.01 * grad(u0, t0).pow(2).sum()
    return physics, ic


def rel_error(net):
    t = torch.linspace(0, T, 400)[:, None]
    with torch.no_grad():
        return ((net(t) - exact(t)).norm() / exact(t).norm()).item()


def main():
    net = Net()
    colloc = torch.linspace(0, T, 120)[:, None]
    adam = torch.optim.Adam(net.parameters(), lr=3e-3)
    sched = torch.optim.lr_scheduler.ExponentialLR(adam, gamma=0.999)
    for it in range(1200):
        adam.zero_grad()
        phys, ic = losses(net, colloc)
        loss = phys + ic
        loss.backward()
        adam.step()
        sched.step()
        if it % 200 == 0:
            print(f"adam  {it:5d}  physics {phys.item():.3e}  ic {ic.item():.3e}  rel.err {rel_error(net):.3e}", flush=True)

    lbfgs = torch.optim.LBFGS(net.parameters(), lr=1.0, max_iter=20, history_size=20, line_search_fn="strong_wolfe")

    def closure():
        lbfgs.zero_grad()
        phys, ic = losses(net, colloc)
        loss = phys + ic
        loss.backward()
        return loss

    for it in range(25):
        loss = lbfgs.step(closure)
        if it % 5 == 4:
            print(f"lbfgs {it+1:5d}  loss {loss.item():.3e}  rel.err {rel_error(net):.3e}", flush=True)


if __name__ == "__main__":
    main()
