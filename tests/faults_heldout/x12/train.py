"""Classify vibration traces with a small 1-d CNN."""
import pathlib
import time

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

ARCHIVE = pathlib.Path(__file__).with_name("traces.npz")


class Traces(Dataset):
    def __init__(self, indices, augment=False):
        self.indices = indices
        self.augment = augment
        with np.load(ARCHIVE) as z:
            self.kind = z["kind"]

    def __len__(self):
        return len(self.indices)

    def __getitem__(self, i):
        j = self.indices[i]
        with np.load(ARCHIVE) as z:
            trace = z["traces"][j]
        if self.augment:
            trace = np.roll(trace, np.random.randint(0, len(trace)))
        return torch.from_numpy(trace).unsqueeze(0), int(self.kind[j])


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv1d(1, 16, 9, padding=4), nn.ReLU(), nn.MaxPool1d(4),
            nn.Conv1d(16, 32, 9, padding=4), nn.ReLU(), nn.MaxPool1d(4))
        self.head = nn.Linear(64, 3)

    def forward(self, x):
        h = self.features(x)
        return self.head(torch.cat([h.mean(-1), h.amax(-1)], 1))


def main():
    torch.manual_seed(21)
    np.random.seed(21)
    order = np.random.permutation(440)
    train = DataLoader(Traces(order[:360], augment=True), batch_size=16, shuffle=True)
    test = DataLoader(Traces(order[360:]), batch_size=64)
    net = Net()
    opt = torch.optim.Adam(net.parameters(), lr=5e-3)
    for epoch in range(6):
        net.train()
        start, losses = time.perf_counter(), []
        for x, y in train:
            loss = nn.functional.cross_entropy(net(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            losses.append(loss.item())
        took = time.perf_counter() - start
        net.eval()
        with torch.no_grad():
            hits = sum((net(x).argmax(1) == y).sum().item() for x, y in test)
        print(f"epoch {epoch}: loss {np.mean(losses):.4f}  test acc {hits / 80:.3f}  {360 / took:.0f} traces/s")


if __name__ == "__main__":
    main()
