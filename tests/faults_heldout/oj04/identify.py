# %% pendulum identification: natural frequency, linear drag and quadratic drag
import numpy as np
import torch
from torch import nn

z = np.load("swings.npz")
theta = torch.tensor(z["theta"])
th0 = torch.tensor(z["release_angle"])
w0 = torch.tensor(z["release_rate"])
dt = float(z["dt"])
torch.manual_seed(0)
order = torch.randperm(len(theta))
fit, hold = order[:28], order[28:]


# %%
class Pendulum(nn.Module):
    def __init__(self):
        super().__init__()
        # log of (g/l, drag, drag2)
        self.logp = nn.Parameter(torch.log(torch.tensor([6.0, 0.1, 0.03])))

    def rhs(self, a, b):
        w2, c, k = self.logp.exp()
        return b, -w2 * torch.sin(a) - c * b - k * b * b.abs()

    def forward(self, a, b, steps):
        path = []
        for _ in range(steps):
            path.append(a)
            k1 = self.rhs(a, b)
            k2 = self.rhs(a + dt / 2 * k1[0], b + dt / 2 * k1[1])
            k3 = self.rhs(a + dt / 2 * k2[0], b + dt / 2 * k2[1])
            k4 = self.rhs(a + dt * k3[0], b + dt * k3[1])
            a = a + dt / 6 * (k1[0] + 2 * k2[0] + 2 * k3[0] + k4[0])
            b = b + dt / 6 * (k1[1] + 2 * k2[1] + 2 * k3[1] + k4[1])
        return torch.stack(path, 1)


# %% the horizon grows: 15 steps, 30, then the whole recording
model = Pendulum()
opt = torch.optim.Adam(model.parameters(), lr=0.05)
sched = torch.optim.lr_scheduler.MultiStepLR(opt, [65, 90], gamma=0.3)
for it in range(1, 111):
    steps = 15 if it <= 20 else 30 if it <= 40 else theta.shape[1]
    loss = ((model(th0[fit], w0[fit], steps) - theta[fit, :steps]) ** 2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    sched.step()
    if it % 10 == 0:
        with torch.no_grad():
            e = ((model(th0[hold], w0[hold], theta.shape[1]) - theta[hold]) ** 2).mean()
        print(f"it {it:3d} steps {steps:2d} loss {loss.item():.6f} held-out {e.item():.6f} "
              f"params {[round(v, 4) for v in model.logp.exp().tolist()]}")

# %%
print("residual sd of the held-out swings (rad): %.4f" % e.sqrt().item())
