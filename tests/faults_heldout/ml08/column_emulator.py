# %% Emulator of one time step of a moist column
# 40 levels; humidity q is carried up by a wind profile, mixed, evaporates at the ground and rains out above saturation.
# The network gets the profiles before the step and gives the tendency of q (change per step) at all levels.
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

LEVELS = 40
rng = np.random.default_rng(2024)
torch.manual_seed(2024)


def smooth(shape, scale):
    noise = rng.normal(size=shape)
    kernel = np.exp(-0.5 * (np.arange(-9, 10) / scale) ** 2)
    return np.apply_along_axis(lambda row: np.convolve(row, kernel / np.linalg.norm(kernel), mode="same"), -1, noise)


def columns(n):
    z = np.linspace(0, 1, LEVELS)
    q = np.clip(12 * np.exp(-2.2 * z) * (1 + 0.25 * smooth((n, LEVELS), 3)), 0.05, None)
    w = 0.6 * smooth((n, LEVELS), 5)
    k = 0.3 * np.exp(0.5 * smooth((n, LEVELS), 4)) * (1 - 0.7 * z)
    return q, w, k


def tendency(q, w, k):
    z = np.linspace(0, 1, LEVELS)
    up = np.gradient(q, axis=-1)
    advection = -w * up
    mixing = np.gradient(k * up, axis=-1)
    saturation = 13 * np.exp(-1.7 * z)
    rain = -0.3 * np.clip(q - saturation, 0, None)
    source = np.zeros_like(q)
    source[:, 0] = 0.2 * np.clip(14 - q[:, 0], 0, None)
    return advection + mixing + rain + source


# %% data: three channels in, one out
q, w, k = columns(2400)
dq = tendency(q, w, k)
inputs = torch.from_numpy(np.stack([q, w, k], 1)).float()
target = torch.from_numpy(dq).float()
n_train = 2000
mu, sd = inputs[:n_train].mean((0, 2), keepdim=True), inputs[:n_train].std((0, 2), keepdim=True)
inputs = (inputs - mu) / sd
scale = target[:n_train].std()
target = target / scale
train = DataLoader(TensorDataset(inputs[:n_train], target[:n_train]), batch_size=50, shuffle=True)
held_in, held_out = inputs[n_train:], target[n_train:]


# %% network
class Emulator(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.height = nn.Parameter(0.1 * torch.randn(4, LEVELS))
        self.lift = nn.Conv1d(7, width, 5, padding=2)
        self.mid = nn.Conv1d(width, width, 5, padding=2)
        self.drop = nn.Conv1d(width, 1, 3, padding=1)
        self.positive = nn.Softplus()  # humidity is a non-negative quantity

    def forward(self, x):
        h = torch.cat([x, self.height.expand(len(x), -1, -1)], 1)
        h = torch.tanh(self.lift(h))
        h = h + torch.tanh(self.mid(h))
        return self.positive(self.drop(h)).squeeze(1)


net = Emulator()
opt = torch.optim.Adam(net.parameters(), lr=3e-3)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, 24)

# %% fit
for epoch in range(24):
    net.train()
    total = 0.0
    for x, y in train:
        loss = nn.functional.mse_loss(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item() * len(x)
    sched.step()
    net.eval()
    with torch.no_grad():
        pred = net(held_in)
        mse = nn.functional.mse_loss(pred, held_out).item()
    r2 = 1 - mse / held_out.var(unbiased=False).item()
    if epoch % 2 == 1:
        print(f"epoch {epoch + 1:2d}  mse {total / n_train:.4f}  held-out mse {mse:.4f}  explained {r2:.3f}")

# %% skill by layer
with torch.no_grad():
    err = (net(held_in) - held_out).pow(2).mean(0).sqrt() * scale
for name, part in {"ground": slice(0, 1), "lower": slice(1, 14), "middle": slice(14, 27), "upper": slice(27, 40)}.items():
    print(f"rms error {name:7s} {err[part].mean():.3f} g/kg per step (spread {held_out[:, part].std() * scale:.3f})")
