import math

import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

SEED = 1
N_CLASSES = 6
STEPS = 40
np.random.seed(SEED)
torch.manual_seed(SEED)


def record_gestures(n):
    """Three accelerometer axes: circle, flick, wave, tap tap, push and turn, with a rest at both ends."""
    y = np.random.randint(0, N_CLASSES, n)
    t = np.linspace(0, 1, STEPS)
    x = np.zeros((n, STEPS, 3))
    for i in range(n):
        speed, start, force = np.random.uniform(0.8, 1.2), np.random.uniform(0.1, 0.3), np.random.uniform(0.8, 1.3)
        s = np.clip((t - start) / (0.6 * speed), 0, 1)
        hull = np.sin(math.pi * s) ** 2
        a = 2 * math.pi * s
        motion = [
            (np.cos(a), np.sin(a), 0 * s),
            (np.exp(-((s - 0.3) / 0.08) ** 2) * 2, 0 * s, -np.exp(-((s - 0.5) / 0.08) ** 2) * 2),
            (np.sin(3 * a), 0 * s, 0 * s),
            (0 * s, 0 * s, np.exp(-((s - 0.3) / 0.07) ** 2) * 2 + np.exp(-((s - 0.7) / 0.07) ** 2) * 2),
            (0 * s, np.sin(a), 0.5 * np.sin(a)),
            (np.sin(a), np.cos(2 * a), 0.7 * np.sin(2 * a)),
        ][y[i]]
        x[i] = force * np.stack(motion, 1) * hull[:, None]
    return (x + 0.15 * np.random.randn(*x.shape)).astype(np.float32), y


class GestureLSTM(nn.Module):
    def __init__(self, n_features=3, hidden=48, n_classes=N_CLASSES):
        super().__init__()
        self.lstm = nn.LSTM(input_size=n_features, hidden_size=hidden, num_layers=1)
        self.fc = nn.Linear(hidden, n_classes)

    def forward(self, x):
        out, _ = self.lstm(x)
        return self.fc(out[:, -1, :])


def multiclass_hinge(scores, labels, margin=1.0):
    true = scores.gather(1, labels.view(-1, 1))
    slack = torch.clamp(scores - true + margin, min=0)
    slack = slack.scatter(1, labels.view(-1, 1), 0.0)
    return slack.sum(dim=1).mean()


x, y = record_gestures(2400)
x, y = torch.from_numpy(x), torch.from_numpy(y)
train_dl = DataLoader(TensorDataset(x[:2000], y[:2000]), batch_size=40, shuffle=True)
val_dl = DataLoader(TensorDataset(x[2000:], y[2000:]), batch_size=40)

model = GestureLSTM()
optimizer = torch.optim.RMSprop(model.parameters(), lr=2e-3)

for epoch in range(1, 16):
    model.train()
    train_loss = 0.0
    for xb, yb in train_dl:
        optimizer.zero_grad()
        loss = multiclass_hinge(model(xb), yb)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimizer.step()
        train_loss += loss.item() / len(train_dl)
    model.eval()
    with torch.no_grad():
        right = sum((model(xb).argmax(1) == yb).sum().item() for xb, yb in val_dl)
    print(f"epoch {epoch:2d}  hinge {train_loss:.4f}  val accuracy {right / len(val_dl.dataset):.3f}")
