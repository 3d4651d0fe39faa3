"""Smooth surrogate of a response surface, fitted full-batch with L-BFGS."""
import numpy as np
import torch

torch.manual_seed(0)
torch.set_default_dtype(torch.float64)


def response(u):
    a, b = u[:, :1], u[:, 1:]
    return 40 * np.exp(-((a - .3) ** 2 + (b + .2) ** 2) / .3) + 15 * np.sin(2 * a) * b + 120


rng = np.random.default_rng(6)
U = rng.uniform(-1, 1, (700, 2))
V = response(U) + rng.normal(0, 1.0, (700, 1))
U, V = torch.tensor(U), torch.tensor(V)
fit, test = slice(0, 500), slice(500, 700)
m, s = V[fit].mean(), V[fit].std()
V = (V - m) / s

net = torch.nn.Sequential(torch.nn.Linear(2, 20), torch.nn.Tanh(), torch.nn.Linear(20, 20), torch.nn.Tanh(), torch.nn.Linear(20, 1))
opt = torch.optim.LBFGS(net.parameters(), lr=0.8, max_iter=6, history_size=20, line_search_fn="strong_wolfe")
decay = 5e-5


def closure():
    opt.zero_grad()
    pen = sum((p ** 2).sum() for p in net.parameters())
    loss = torch.mean((net(U[fit]) - V[fit]) ** 2) + decay * pen
    loss.backward()
    return loss


for k in range(64):
    loss = opt.step(closure)
    if k % 8 == 7:
        with torch.no_grad():
            err = ((net(U[test]) - V[test]) ** 2).mean().sqrt() * s
        print(f"outer {k + 1:3d}  objective {loss.item():.6f}  test rmse {float(err):.3f} (sensor noise 1.0)")
