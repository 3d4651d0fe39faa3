"""Fit the vector field of a damped nonlinear oscillator from noisy trajectories (RK4 unrolled, L-BFGS)."""
import numpy as np
import torch
from scipy.integrate import solve_ivp

torch.manual_seed(2)
torch.set_default_dtype(torch.float64)
rng = np.random.default_rng(2)

DT, STEPS, WINDOW = 0.1, 120, 12


def rhs(_, s):
    x, v = s
    return [v, -0.15 * v - x - 0.6 * x ** 3]


def simulate(n):
    out = []
    t = np.arange(STEPS + 1) * DT
    for _ in range(n):
        s0 = rng.uniform(-1.5, 1.5, 2)
        out.append(solve_ivp(rhs, (0, t[-1]), s0, t_eval=t, rtol=1e-8).y.T)
    return torch.tensor(np.stack(out))


clean_train, test = simulate(14), simulate(6)
train = clean_train + 0.01 * torch.randn_like(clean_train)


class Field(torch.nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.net = torch.nn.Sequential(torch.nn.Linear(2, width), torch.nn.Tanh(),
                                       torch.nn.Linear(width, width), torch.nn.Tanh(), torch.nn.Linear(width, 2))

    def forward(self, s):
        return self.net(s)


def rk4(f, s, dt):
    k1 = f(s)
    k2 = f(s + 0.5 * dt * k1)
    k3 = f(s + 0.5 * dt * k2)
    k4 = f(s + dt * k3)
    return s + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def roll(f, s, n):
    states = [s]
    for _ in range(n):
        states.append(rk4(f, states[-1], DT))
    return torch.stack(states, dim=1)


windows = train.unfold(1, WINDOW + 1, WINDOW).permute(0, 1, 3, 2).reshape(-1, WINDOW + 1, 2)
field = Field()
optimizer = torch.optim.LBFGS(field.parameters(), lr=1.0, max_iter=12, history_size=20, line_search_fn="strong_wolfe")
calls = 0


def closure():
    global calls
    calls += 1
    optimizer.zero_grad()
    pred = roll(field, windows[:, 0], WINDOW)
    loss = ((pred - windows) ** 2).mean()
    loss.backward()
    return loss


for outer in range(1, 21):
    loss = optimizer.step(closure)
    if outer % 2 == 0:
        with torch.no_grad():
            full = roll(field, test[:, 0], STEPS)
            err = (full - test).pow(2).mean().sqrt().item()
        print(f"outer {outer:2d}  evaluations {calls:4d}  window mse {loss.item():.3e}  12 s rollout rmse {err:.4f}")

print(f"rms of the test trajectories {test.pow(2).mean().sqrt().item():.3f}")
