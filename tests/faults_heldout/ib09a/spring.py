"""Free motion of a damped spring, learned from its equation and the state at t=0 alone.

    m x'' + mu x' + k x = 0,   x(0) = 1,  x'(0) = 0
"""
import math
import sys

import torch
import torch.nn as nn


def read_settings(path):
    out = {}
    for line in open(path):
        line = line.split("#")[0].strip()
        if line:
            key, value = (s.strip() for s in line.split("="))
            out[key] = float(value) if "." in value or "e" in value else int(value)
    return out


class Net(nn.Module):
    def __init__(self, width, depth):
        super().__init__()
        layers = [nn.Linear(1, width), nn.Tanh()]
        for _ in range(depth - 1):
            layers += [nn.Linear(width, width), nn.Tanh()]
        self.net = nn.Sequential(*layers, nn.Linear(width, 1))

    def forward(self, t):
        return self.net(2 * t - 1)


def exact(t, mu, k):
    d, w0 = mu / 2, math.sqrt(k)
    w = math.sqrt(w0 ** 2 - d ** 2)
    phi = math.atan(-d / w)
    amp = 1 / math.cos(phi)
    return amp * torch.exp(-d * t) * torch.cos(phi + w * t)


def derivative(y, t):
    return torch.autograd.grad(y, t, torch.ones_like(y), create_graph=True)[0]


def main(path):
    s = read_settings(path)
    torch.manual_seed(s["seed"])
    mu, k = s["mu"], s["k"]
    net = Net(s["width"], s["depth"])
    opt = torch.optim.Adam(net.parameters(), lr=s["lr"])
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, s["steps"], s["lr"] * 0.05)

    t0 = torch.zeros(1, 1, requires_grad=True)
    grid = torch.linspace(0, 1, 200).view(-1, 1)
    truth = exact(grid, mu, k)

    for step in range(1, s["steps"] + 1):
        x0 = net(t0)
        position = (x0 - 1).pow(2).mean()
        velocity = derivative(x0, t0).pow(2).mean()

        t = torch.rand(s["points"], 1, requires_grad=True)
        x = net(t)
        dx = derivative(x, t)
        ddx = derivative(dx, t)
        residual = (ddx + mu * dx + k * x).pow(2).mean()

        loss = s["w_position"] * position + s["w_velocity"] * velocity + s["w_residual"] * residual
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()

        if step % 500 == 0:
            with torch.no_grad():
                err = ((net(grid) - truth).norm() / truth.norm()).item()
            print(f"step {step:5d}  loss {loss.item():.3e}  error against the exact motion {err:.3f}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "spring.cfg")
