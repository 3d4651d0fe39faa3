# Monthly rent index from eight listing attributes (table prepared upstream).
import csv
import os

import numpy as np
import torch
from torch import nn

here = os.path.dirname(os.path.abspath(__file__))


def read_table(name):
    with open(os.path.join(here, name), newline="") as fh:
        reader = csv.reader(fh)
        header = next(reader)
        rows = np.array([[float(v) for v in row] for row in reader], dtype=np.float32)
    return header, rows


header, table = read_table("listings.csv")
x_all, y_all = table[:, :-1], table[:, -1:]
print("columns:", ", ".join(header))

gen = torch.Generator().manual_seed(21)
torch.manual_seed(21)
order = torch.randperm(len(x_all), generator=gen).numpy()
cut = int(0.8 * len(order))
train_idx, test_idx = order[:cut], order[cut:]
x_train, y_train = torch.from_numpy(x_all[train_idx]), torch.from_numpy(y_all[train_idx])
x_test, y_test = torch.from_numpy(x_all[test_idx]), torch.from_numpy(y_all[test_idx])

net = nn.Sequential(nn.Linear(x_train.shape[1], 48), nn.Tanh(), nn.Linear(48, 48), nn.Tanh(), nn.Linear(48, 1))
opt = torch.optim.Adam(net.parameters(), lr=2e-3)
mse = nn.MSELoss()
batch = 64


def r2(pred, target):
    return 1 - ((pred - target) ** 2).sum().item() / ((target - target.mean()) ** 2).sum().item()


for epoch in range(40):
    perm = torch.randperm(len(x_train), generator=gen)
    seen, acc = 0, 0.0
    for start in range(0, len(perm), batch):
        take = perm[start:start + batch]
        loss = mse(net(x_train[take]), y_train[take])
        opt.zero_grad()
        loss.backward()
        opt.step()
        acc += loss.item() * len(take)
        seen += len(take)
    if epoch % 5 == 4:
        with torch.no_grad():
            score = r2(net(x_test), y_test)
        print(f"[{epoch + 1:3d}] train mse {acc / seen:.4f}   test R2 {score:.3f}")
