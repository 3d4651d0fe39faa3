#!/usr/bin/env python3
"""
Physics-informed fit of a damped oscillator  u'' + c u' + k u = 0  from 25 noisy readings.

Unknown: the motion u(t) and the two coefficients c and k. First Adam, then L-BFGS on the full set of
collocation points. All derivatives come from autograd.
"""
import argparse
import math

import torch
import torch.nn as nn

torch.set_default_dtype(torch.float64)      # L-BFGS line searches need the digits
TRUE_C, TRUE_K = 0.4, 9.0


class Sine(torch.autograd.Function):
    """sin(w x) with a hand-written derivative (itself differentiable, it is needed twice more)."""

    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x)
        ctx.w = w
        return torch.sin(w * x)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * ctx.w * torch.cos(ctx.w * x), None


class SineLayer(nn.Module):
    def __init__(self, i, o, w, first=False):
        super().__init__()
        self.lin, self.w = nn.Linear(i, o), w
        bound = 1 / i if first else math.sqrt(6 / i) / w
        nn.init.uniform_(self.lin.weight, -bound, bound)

    def forward(self, x):
        return Sine.apply(self.lin(x), self.w)


class Motion(nn.Module):
    def __init__(self, t_max, width=32):
        super().__init__()
        self.t_max = t_max
        self.net = nn.Sequential(SineLayer(1, width, 3.0, first=True), SineLayer(width, width, 1.5), nn.Linear(width, 1))
        self.raw = nn.Parameter(torch.tensor([0.0, 1.0]))        # log of the coefficients

    def coefficients(self):
        return self.raw.exp()

    def forward(self, t):
        return self.net(2 * t / self.t_max - 1)


def exact(t):
    w = math.sqrt(TRUE_K - TRUE_C ** 2 / 4)
    return torch.exp(-TRUE_C * t / 2) * (torch.cos(w * t) + TRUE_C / 2 / w * torch.sin(w * t))


def residual(model, t):
    t = t.clone().requires_grad_(True)
    u = model(t)
    du, = torch.autograd.grad(u.sum(), t, create_graph=True)
    ddu, = torch.autograd.grad(du.sum(), t, create_graph=True)
    c, k = model.coefficients()
    return (ddu + c * du + k * u) / TRUE_K


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--adam", type=int, default=400)
    ap.add_argument("--lbfgs", type=int, default=20)
    ap.add_argument("--t-max", type=float, default=6.0)
    ap.add_argument("--noise", type=float, default=0.02)
    ap.add_argument("--physics", type=float, default=1.0)
    args = ap.parse_args()

    torch.manual_seed(1)
    t_obs = torch.rand(25, 1).sort(0).values * args.t_max
    u_obs = exact(t_obs) + args.noise * torch.randn_like(t_obs)
    t_col = torch.linspace(0, args.t_max, 120)[:, None]
    t_test = torch.linspace(0, args.t_max, 501)[:, None]
    model = Motion(args.t_max)

    def losses():
        data = (model(t_obs) - u_obs).square().mean()
        phys = residual(model, t_col).square().mean()
        return data, phys

    def show(tag):
        with torch.no_grad():
            err = (model(t_test) - exact(t_test)).square().mean().sqrt().item()
            c, k = model.coefficients().tolist()
        data, phys = (v.item() for v in losses())
        print(f"{tag:>10}  data {data:.2e}  physics {phys:.2e}  rmse to exact {err:.4f}  c {c:.3f}  k {k:.3f}")

    adam = torch.optim.Adam(model.parameters(), lr=3e-3)
    for i in range(1, args.adam + 1):
        data, phys = losses()
        adam.zero_grad()
        (data + args.physics * phys).backward()
        adam.step()
        if i % 100 == 0:
            show(f"adam {i}")

    lbfgs = torch.optim.LBFGS(model.parameters(), lr=1.0, max_iter=20, history_size=50,
                              tolerance_grad=1e-9, tolerance_change=1e-13, line_search_fn="strong_wolfe")

    def closure():
        lbfgs.zero_grad()
        data, phys = losses()
        loss = data + args.physics * phys
        loss.backward()
        return loss

    for i in range(1, args.lbfgs + 1):
        lbfgs.step(closure)
        if i % 4 == 0:
            show(f"lbfgs {i}")
    print(f"true coefficients: c {TRUE_C}, k {TRUE_K}")


if __name__ == "__main__":
    main()
