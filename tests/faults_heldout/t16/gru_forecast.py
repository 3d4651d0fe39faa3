import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def sales(n=1400, seed=3):
    r = np.random.default_rng(seed)
    t = np.arange(n)
    promo = (r.random(n) < 0.08).astype(float)
    y = 50 + 0.01 * t + 8 * np.sin(2 * np.pi * t / 7) + 5 * np.sin(2 * np.pi * t / 30.4)
    y += 12 * np.convolve(promo, [1, .6, .3], "full")[:n] + r.normal(0, 1.5, n)
    return np.stack([y, promo], 1)


def windows(a, look):
    X = np.stack([a[i:i + look] for i in range(len(a) - look)])
    nxt = a[look:, 0]
    return torch.tensor(X, dtype=torch.float32), torch.tensor(nxt, dtype=torch.float32)


class SalesGRU(nn.Module):
    def __init__(self, hidden=24):
        super().__init__()
        self.gru = nn.GRU(2, hidden, batch_first=True)
        self.fc = nn.Linear(hidden, 1)

    def forward(self, x):
        return self.fc(self.gru(x)[0][:, -1]).squeeze(-1)


def main():
    torch.manual_seed(15)
    a = sales()
    mu, sd = a[:1100, 0].mean(), a[:1100, 0].std()
    a[:, 0] = (a[:, 0] - mu) / sd
    X, y = windows(a, 28)
    train = DataLoader(TensorDataset(X[:1070], y[:1070]), batch_size=32, shuffle=True)
    Xv, yv = X[1070:], y[1070:]
    model = SalesGRU()
    optimizer = torch.optim.Adam(model.parameters(), lr=4e-3)
    criterion = nn.SmoothL1Loss()
    for epoch in range(20):
        model.train()
        optimizer.zero_grad()
        epoch_loss = 0.0
        for xb, yb in train:
            loss = criterion(model(xb), yb)
            loss.backward()
            optimizer.step()
            epoch_loss += loss.item()
        model.eval()
        with torch.no_grad():
            mae = (model(Xv) - yv).abs().mean().item() * sd
        print(f"Epoch {epoch + 1:02d} | loss {epoch_loss / len(train):.4f} | val MAE {mae:.2f} units")


if __name__ == "__main__":
    main()
