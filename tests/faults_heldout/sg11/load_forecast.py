"""Day-ahead forecast of household load from one week of hourly readings."""
import time

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, Subset


class MeterWindows(Dataset):
    def __init__(self, path):
        self.path = path
        self.archive = np.load(path)
        self.n = len(self.archive["window"])

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        past = self.archive["window"][i].astype(np.float32)
        ahead = self.archive["horizon"][i].astype(np.float32)
        level, spread = past.mean(), past.std() + 1.0
        return torch.from_numpy((past - level) / spread), torch.from_numpy((ahead - level) / spread)


class DayAhead(nn.Module):
    def __init__(self, hidden=48):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv1d(1, 8, 5, padding=2), nn.ReLU(),
            nn.Conv1d(8, 8, 5, stride=2, padding=2), nn.ReLU(),
        )
        self.fc = nn.Sequential(nn.Flatten(), nn.Linear(8 * 84, hidden), nn.ReLU(), nn.Linear(hidden, 24))

    def forward(self, x):
        return self.fc(self.conv(x.unsqueeze(1)))


def main():
    torch.manual_seed(40)
    data = MeterWindows("meters.npz")
    perm = torch.randperm(len(data)).tolist()
    train, valid = Subset(data, perm[180:]), Subset(data, perm[:180])
    loader = DataLoader(train, batch_size=24, shuffle=True)
    valid_loader = DataLoader(valid, batch_size=90)
    model = DayAhead()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    criterion = nn.SmoothL1Loss()

    for epoch in range(8):
        started = time.perf_counter()
        model.train()
        loss_sum = 0.0
        for past, ahead in loader:
            optimizer.zero_grad()
            loss = criterion(model(past), ahead)
            loss.backward()
            optimizer.step()
            loss_sum += loss.item() * len(past)
        model.eval()
        with torch.no_grad():
            v = sum(criterion(model(p), a).item() * len(p) for p, a in valid_loader) / len(valid)
        print(f"epoch {epoch + 1} train {loss_sum / len(train):.4f} valid {v:.4f} ({time.perf_counter() - started:.2f}s)")


if __name__ == "__main__":
    main()
