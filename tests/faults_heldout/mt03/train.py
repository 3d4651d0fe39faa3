# Recover the parameters of a damped, driven oscillator from a short noisy trace.
# The simulator is the slow part, so every simulated batch serves several updates.
import numpy as np
import torch
import torch.nn as nn

SEED = 20
N_BATCHES = 500
ECHO = 4
BATCH = 128
T = 80

torch.manual_seed(SEED)
rng = np.random.default_rng(SEED)


def simulate(n):
    """Semi-implicit Euler with small steps, returns traces (n, T) and parameters (n, 3)."""
    omega = rng.uniform(1.0, 3.0, n)
    gamma = rng.uniform(0.05, 0.6, n)
    drive = rng.uniform(0.0, 1.5, n)
    x = rng.normal(1.0, 0.2, n)
    v = np.zeros(n)
    out = np.empty((n, T), dtype=np.float32)
    dt, sub = 0.03, 4
    t = 0.0
    for k in range(T):
        for _ in range(sub):
            v += dt * (-omega ** 2 * x - 2 * gamma * v + drive)
            x = x + dt * v
            t += dt
        out[:, k] = x
    out += rng.normal(0, 0.05, out.shape).astype(np.float32)
    theta = np.stack([omega, gamma, drive], 1)
    theta = (theta - [2.0, 0.325, 0.75]) / [0.577, 0.159, 0.433]
    return torch.from_numpy(out), torch.from_numpy(theta.astype(np.float32))


test_x, test_y = simulate(1500)

net = nn.Sequential(
    nn.Linear(T, 192), nn.GELU(),
    nn.Linear(192, 128), nn.GELU(),
    nn.Linear(128, 3),
)
opt = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=1e-3)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, N_BATCHES * ECHO, eta_min=2e-5)
mse = nn.MSELoss()

for b in range(N_BATCHES):
    x, y = simulate(BATCH)
    for _ in range(ECHO):
        opt.zero_grad()
        loss = mse(net(x), y)
        loss.backward()
        opt.step()
        sched.step()
    if (b + 1) % 50 == 0:
        with torch.no_grad():
            err = (net(test_x) - test_y) ** 2
        r2 = 1 - err.mean(0) / test_y.var(0)
        print(f"batch {b + 1:4d}  loss {loss.item():.4f}  test mse {err.mean():.4f}  "
              f"R2 omega {r2[0]:.3f} gamma {r2[1]:.3f} drive {r2[2]:.3f}")
