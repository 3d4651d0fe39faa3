"""Physics-informed fit of a damped pendulum from a handful of encoder readings."""
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn


@dataclass
class Settings:
    rounds: int = 60
    inner: int = 5
    history: int = 30
    n_colloc: int = 80
    omega: float = 2.2
    damping: float = 0.25
    w_data: float = 10.0


class Angle(nn.Module):
    def __init__(self, width=24, t_max=6.0):
        super().__init__()
        self.t_max = t_max
        self.f = nn.Sequential(nn.Linear(1, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 1))

    def forward(self, t):
        return self.f(2 * t / self.t_max - 1)


def residual(net, t, s):
    t = t.detach().requires_grad_(True)
    th = net(t)
    (d1,) = torch.autograd.grad(th.sum(), t, create_graph=True)
    (d2,) = torch.autograd.grad(d1.sum(), t, create_graph=True)
    return d2 + 2 * s.damping * d1 + s.omega ** 2 * torch.sin(th)


def refine(net, t_c, t_d, th_d, s):
    """One round: a few quasi-Newton iterations on the joint objective."""
    opt = torch.optim.LBFGS(net.parameters(), lr=1.0, max_iter=s.inner, history_size=s.history,
                            line_search_fn="strong_wolfe")

    def closure():
        opt.zero_grad()
        phys = residual(net, t_c, s).square().mean()
        data = (net(t_d) - th_d).square().mean()
        loss = phys + s.w_data * data
        loss.backward()
        return loss

    return float(opt.step(closure))


def main():
    torch.manual_seed(1)
    s = Settings()
    arr = torch.from_numpy(np.loadtxt("encoder.csv", delimiter=",", skiprows=1, dtype=np.float32))
    t_d, th_d = arr[::2, :1], arr[::2, 1:]
    t_h, th_h = arr[1::2, :1], arr[1::2, 1:]
    t_c = torch.linspace(0, 6, s.n_colloc)[:, None]
    net = Angle()
    for k in range(s.rounds):
        loss = refine(net, t_c, t_d, th_d, s)
        if k % 10 == 9:
            with torch.no_grad():
                rmse = (net(t_h) - th_h).square().mean().sqrt().item()
            print(f"round {k + 1:3d}  objective {loss:.3e}  rmse on unused readings {rmse:.4f} rad")


if __name__ == "__main__":
    main()
