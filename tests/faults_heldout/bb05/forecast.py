"""Day-ahead load forecast: 72 hours of history plus the weather and calendar of the next day -> 24 hourly values."""
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

HISTORY, HORIZON = 72, 24
torch.manual_seed(0)


def load_series(path="load_2023.npz"):
    f = np.load(path)
    load, temp = f["load_mw"], f["temperature"]
    hours = np.arange(len(load))
    calendar = np.stack([
        np.sin(2 * np.pi * hours / 24), np.cos(2 * np.pi * hours / 24),
        ((hours // 24) % 7 >= 5).astype(np.float32),
    ], axis=1)
    return load, temp, calendar.astype(np.float32)


class WindowDataset(Dataset):
    """Windows over [start, stop); the forecast part never leaves that range."""

    def __init__(self, load, temp, calendar, start, stop, stride):
        self.load, self.temp, self.cal = load, temp, calendar
        self.starts = np.arange(start, stop - HISTORY - HORIZON + 1, stride)

    def __len__(self):
        return len(self.starts)

    def __getitem__(self, i):
        a = self.starts[i]
        b, c = a + HISTORY, a + HISTORY + HORIZON
        past = np.concatenate([self.load[a:b, None], self.temp[a:b, None], self.cal[a:b]], axis=1)
        yesterday = self.load[b - 24:c - 24, None]
        future = np.concatenate([self.temp[b:c, None], self.cal[b:c], yesterday], axis=1)
        return past, future, self.load[b:c]


class Seq2Hours(nn.Module):
    """Dilated convolutions summarise the history, a GRU unrolls the next day."""

    def __init__(self, hidden=40):
        super().__init__()
        self.encoder = nn.Sequential(
            nn.Conv1d(5, hidden, 4, stride=2), nn.ReLU(),
            nn.Conv1d(hidden, hidden, 4, stride=2), nn.ReLU(),
            nn.Conv1d(hidden, hidden, 4, stride=2), nn.ReLU(),
            nn.Flatten(), nn.Linear(hidden * 7, hidden), nn.Tanh())
        self.decoder = nn.GRU(5, hidden, batch_first=True)
        self.head = nn.Sequential(nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, 1))

    def forward(self, past, future):
        h = self.encoder(past.transpose(1, 2)).unsqueeze(0)
        out, _ = self.decoder(future, h)
        return self.head(out).squeeze(-1)


load, temp, cal = load_series()
n_train, n_val = int(0.7 * len(load)), int(0.85 * len(load))
mu, sd = load[:n_train].mean(), load[:n_train].std()
tmu, tsd = temp[:n_train].mean(), temp[:n_train].std()
z, tz = (load - mu) / sd, (temp - tmu) / tsd

train_ds = WindowDataset(z, tz, cal, 0, n_train, stride=5)
val_ds = WindowDataset(z, tz, cal, n_train, n_val, stride=12)
test_ds = WindowDataset(z, tz, cal, n_val, len(load), stride=24)
train_dl = DataLoader(train_ds, batch_size=32, shuffle=True)
val_dl = DataLoader(val_ds, batch_size=128)
test_dl = DataLoader(test_ds, batch_size=128)


@torch.no_grad()
def mae_mw(model, loader):
    model.eval()
    err = [(model(p, f) - y).abs().flatten() for p, f, y in loader]
    return torch.cat(err).mean().item() * sd


model = Seq2Hours()
EPOCHS = 12
optimizer = torch.optim.Adam(model.parameters(), lr=8e-3)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=EPOCHS * len(train_dl), eta_min=1e-4)

naive = np.mean([np.abs(y - p[-24:, 0]).mean() for p, _, y in test_ds]) * sd
print(f"{len(train_ds)} training windows, same-hour-yesterday MAE {naive:.1f} MW")
for epoch in range(EPOCHS):
    model.train()
    losses = []
    for past, future, y in train_dl:
        loss = nn.functional.mse_loss(model(past, future), y)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        scheduler.step()
        losses.append(loss.item())
    print(f"epoch {epoch:2d}  mse {np.mean(losses):.4f}  val MAE {mae_mw(model, val_dl):.1f} MW")
print(f"test MAE {mae_mw(model, test_dl):.1f} MW")
