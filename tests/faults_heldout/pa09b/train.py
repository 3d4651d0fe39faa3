# Inverse dynamics of a two-link arm: (q, dq, ddq) -> joint torques.
# Warm start from the grown network, then regular training.
import numpy as np
import torch
from torch import nn

SEED = 15
EPOCHS = 40
BATCH = 128
LR = 2e-3

torch.manual_seed(SEED)
torch.set_num_threads(1)


def arm_torques(q, dq, ddq, m=(1.4, 0.9), l=(0.5, 0.4), g=9.81):
    lc1, lc2 = l[0] / 2, l[1] / 2
    i1, i2 = m[0] * l[0] ** 2 / 12, m[1] * l[1] ** 2 / 12
    c2, s2 = np.cos(q[:, 1]), np.sin(q[:, 1])
    m11 = i1 + i2 + m[0] * lc1**2 + m[1] * (l[0]**2 + lc2**2 + 2 * l[0] * lc2 * c2)
    m12 = i2 + m[1] * (lc2**2 + l[0] * lc2 * c2)
    m22 = i2 + m[1] * lc2**2
    h = m[1] * l[0] * lc2 * s2
    g1 = (m[0] * lc1 + m[1] * l[0]) * g * np.cos(q[:, 0]) + m[1] * lc2 * g * np.cos(q[:, 0] + q[:, 1])
    g2 = m[1] * lc2 * g * np.cos(q[:, 0] + q[:, 1])
    t1 = m11 * ddq[:, 0] + m12 * ddq[:, 1] - h * (2 * dq[:, 0] * dq[:, 1] + dq[:, 1]**2) + g1
    t2 = m12 * ddq[:, 0] + m22 * ddq[:, 1] + h * dq[:, 0]**2 + g2
    return np.stack([t1, t2], 1)


def sample(n, seed):
    r = np.random.default_rng(seed)
    q = r.uniform(-np.pi, np.pi, (n, 2))
    dq = r.uniform(-4, 4, (n, 2))
    ddq = r.uniform(-8, 8, (n, 2))
    tau = arm_torques(q, dq, ddq) + r.normal(0, 0.05, (n, 2))
    x = np.concatenate([q / np.pi, dq / 4, ddq / 8], 1)
    return torch.tensor(x, dtype=torch.float32), torch.tensor(tau, dtype=torch.float32)


class TorqueNet(nn.Module):
    def __init__(self, width=96):
        super().__init__()
        self.fc1 = nn.Linear(6, width)
        self.fc2 = nn.Linear(width, width)
        self.fc3 = nn.Linear(width, 2)

    def forward(self, x):
        return self.fc3(torch.tanh(self.fc2(torch.tanh(self.fc1(x)))))


x_train, t_train = sample(8000, 1)
x_val, t_val = sample(2000, 2)
t_mean, t_std = t_train.mean(0), t_train.std(0)
y_train, y_val = (t_train - t_mean) / t_std, (t_val - t_mean) / t_std

model = TorqueNet()
model.load_state_dict(torch.load("stage1_w96.pt", weights_only=True))
optimizer = torch.optim.Adam(model.parameters(), lr=LR)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, EPOCHS, eta_min=LR / 50)


def report(tag, extra=""):
    model.eval()
    with torch.no_grad():
        err = ((model(x_val) - y_val) ** 2).mean(0)
    r2 = 1 - err / y_val.var(0)
    print(f"{tag:>8}  {extra}val_mse={err.mean():.5f}  R2(shoulder)={r2[0]:.4f}  R2(elbow)={r2[1]:.4f}")


report("start")
for epoch in range(1, EPOCHS + 1):
    model.train()
    acc = 0.0
    for idx in torch.randperm(len(x_train)).split(BATCH):
        loss = nn.functional.mse_loss(model(x_train[idx]), y_train[idx])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        acc += loss.item() * len(idx)
    scheduler.step()
    if epoch % 4 == 0:
        report(f"ep {epoch}", f"train_mse={acc / len(x_train):.5f}  ")
