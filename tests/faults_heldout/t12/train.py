"""House price style regression, micro-batches of 8 accumulated to 128."""
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

MICRO, ACCUM, EPOCHS = 8, 16, 16


class Houses(Dataset):
    def __init__(self, n, seed):
        r = np.random.default_rng(seed)
        area, age, dist, rooms = r.gamma(6, 18, n), r.uniform(0, 80, n), r.exponential(6, n), r.integers(1, 8, n)
        extra = r.normal(size=(n, 6))
        price = 2.1 * area * np.exp(-dist / 15) - .9 * age + 9 * np.sqrt(rooms) + 6 * extra[:, 0] * extra[:, 1] + r.normal(0, 8, n)
        x = np.column_stack([(area - 108) / 44, (age - 40) / 23, (dist - 6) / 6, (rooms - 4) / 2, extra])
        self.x = torch.tensor(x, dtype=torch.float32)
        self.y = torch.tensor((price - 133) / 85, dtype=torch.float32)

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


def r2(net, ds):
    net.eval()
    with torch.no_grad():
        e = net(ds.x).squeeze(1) - ds.y
    return 1 - (e.pow(2).mean() / ds.y.var()).item()


def main():
    torch.manual_seed(10)
    train, val = Houses(6400, 1), Houses(1000, 2)
    loader = DataLoader(train, batch_size=MICRO, shuffle=True, drop_last=True)
    net = nn.Sequential(nn.Linear(10, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 1))
    opt = torch.optim.SGD(net.parameters(), lr=0.025, momentum=0.9)
    updates = 0
    for epoch in range(EPOCHS):
        net.train()
        opt.zero_grad()
        hist = []
        for i, (x, y) in enumerate(loader):
            loss = nn.functional.mse_loss(net(x).squeeze(1), y)
            loss.backward()
            hist.append(loss.item())
            if (i + 1) % ACCUM == 0:
                opt.step()
                opt.zero_grad()
                updates += 1
        print(f"epoch {epoch} updates {updates} mse {np.mean(hist):.4f} val r2 {r2(net, val):.4f}")


if __name__ == "__main__":
    main()
