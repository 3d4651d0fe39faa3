"""One-hour-ahead demand forecast for a bike sharing station."""
import numpy as np
import torch
from torch import nn
from torch.utils.data import Dataset, DataLoader

WINDOW = 24
EPOCHS = 12
torch.manual_seed(3)


class HourlyWindows(Dataset):
    def __init__(self, table, target, first, last):
        self.table = table
        self.target = target
        self.index = range(first, last)

    def __len__(self):
        return len(self.index)

    def __getitem__(self, k):
        t = self.index[k]
        return self.table[t - WINDOW:t], self.target[t]


class DemandGRU(nn.Module):
    def __init__(self, n_features, hidden=32):
        super().__init__()
        self.gru = nn.GRU(n_features, hidden, batch_first=True)
        self.head = nn.Linear(hidden, 1)

    def forward(self, x):
        out, _ = self.gru(x)
        return self.head(out[:, -1])


def prepare(path):
    raw = np.loadtxt(path, delimiter=",", skiprows=1, dtype=np.float32)
    hour, weekday, temp, rentals = raw.T
    n_train = int(len(raw) * 0.8)
    cols = [
        np.sin(2 * np.pi * hour / 24), np.cos(2 * np.pi * hour / 24),
        (weekday >= 5).astype(np.float32),
        (temp - temp[:n_train].mean()) / temp[:n_train].std(),
        (rentals - rentals[:n_train].mean()) / rentals[:n_train].std(),
    ]
    table = torch.tensor(np.stack(cols, 1), dtype=torch.float32)
    return table, table[:, -1].clone(), n_train, float(rentals[:n_train].std())


table, target, n_train, unit = prepare("station_demand.csv")
train_loader = DataLoader(HourlyWindows(table, target, WINDOW, n_train), batch_size=64, shuffle=True)
val_loader = DataLoader(HourlyWindows(table, target, n_train, len(table)), batch_size=256)

model = DemandGRU(table.shape[1])
criterion = nn.MSELoss()
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)

for epoch in range(EPOCHS):
    model.train()
    running = 0.0
    for seq, y in train_loader:
        pred = model(seq)
        loss = criterion(pred, y)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        running += loss.item()

    model.eval()
    err = []
    with torch.no_grad():
        for seq, y in val_loader:
            err.append((model(seq)[:, 0] - y).abs())
    mae = torch.cat(err).mean().item() * unit
    print(f"epoch {epoch + 1}: train mse {running / len(train_loader):.4f}, val MAE {mae:.1f} rentals/h")
