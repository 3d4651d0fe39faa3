import json
from types import SimpleNamespace

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class BandNet(nn.Module):
    """Small 1-D CNN over log band energies of one accelerometer record."""

    def __init__(self, n_states, channels, dropout):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv1d(1, channels, 5, padding=2), nn.ReLU(), nn.MaxPool1d(2),
            nn.Conv1d(channels, 2 * channels, 3, padding=1), nn.ReLU(), nn.MaxPool1d(2),
            nn.Flatten(), nn.Dropout(dropout),
        )
        self.classify = nn.Linear(2 * channels * 6, n_states)

    def forward(self, bands):
        return self.classify(self.features(bands.unsqueeze(1)))


def predict(net, x):
    net.eval()
    with torch.no_grad():
        out = net(x)
    net.train()
    return out


def main():
    with open("settings.json") as fh:
        s = SimpleNamespace(**json.load(fh))
    torch.manual_seed(s.seed)
    z = np.load("spectra.npz")
    x = torch.from_numpy(z["x_fit"].astype(np.float32))
    y = torch.from_numpy(z["y_fit"].astype(np.int64))
    xc = torch.from_numpy(z["x_check"].astype(np.float32))
    yc = torch.from_numpy(z["y_check"].astype(np.int64))
    mean, std = x.mean(0), x.std(0)
    x, xc = (x - mean) / std, (xc - mean) / std

    net = BandNet(len(s.states), s.channels, s.dropout)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.AdamW(net.parameters(), lr=s.lr, weight_decay=s.weight_decay)
    loader = DataLoader(TensorDataset(x, y), batch_size=s.batch, shuffle=True)
    for epoch in range(1, s.epochs + 1):
        seen, total = 0, 0.0
        for bx, by in loader:
            optimizer.zero_grad()
            loss = criterion(net(bx), by)
            loss.backward()
            optimizer.step()
            total += loss.item() * len(by)
            seen += len(by)
        logits = predict(net, xc)
        acc = (logits.argmax(1) == yc).float().mean().item()
        print(f"epoch {epoch:2d}  loss {total / seen:.4f}  check loss {criterion(logits, yc).item():.4f}  accuracy {acc:.4f}")

    guess = predict(net, xc).argmax(1)
    for i, name in enumerate(s.states):
        of = yc == i
        print(f"{name:>11}: found {int((guess[of] == i).sum())} of {int(of.sum())}")


if __name__ == "__main__":
    main()
