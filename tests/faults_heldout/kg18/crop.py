# Crop yield from twenty soil and weather sensors
import copy
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class EarlyStop:
    def __init__(self, patience, min_delta=0.0):
        self.patience, self.min_delta = patience, min_delta
        self.best, self.bad, self.weights, self.best_epoch = float("inf"), 0, None, -1

    def __call__(self, epoch, value, model):
        if value < self.best - self.min_delta:
            self.best, self.bad, self.best_epoch = value, 0, epoch
            self.weights = copy.deepcopy(model.state_dict())
        else:
            self.bad += 1
        return self.bad >= self.patience


def mse(model, loader):
    model.eval()
    with torch.no_grad():
        return sum(((model(x) - y) ** 2).sum().item() for x, y in loader) / len(loader.dataset)


torch.manual_seed(31)
table = np.loadtxt("yield.csv", delimiter=",", skiprows=1, dtype=np.float32)
np.random.default_rng(0).shuffle(table)
x, y = torch.from_numpy(table[:, :-1]), torch.from_numpy(table[:, -1:])
parts = {"train": slice(0, 1000), "valid": slice(1000, 1250), "test": slice(1250, 1500)}
xm, xs = x[parts["train"]].mean(0), x[parts["train"]].std(0)
ym, ys = y[parts["train"]].mean(), y[parts["train"]].std()
sets = {k: TensorDataset((x[s] - xm) / xs, (y[s] - ym) / ys) for k, s in parts.items()}
train = DataLoader(sets["train"], batch_size=25, shuffle=True)
valid, test = DataLoader(sets["valid"], batch_size=250), DataLoader(sets["test"], batch_size=250)

model = nn.Sequential(nn.Linear(20, 64), nn.Tanh(), nn.Dropout(0.15), nn.Linear(64, 32), nn.Tanh(), nn.Linear(32, 1))
optimizer = torch.optim.RMSprop(model.parameters(), lr=1e-3, weight_decay=2e-3)
stop = EarlyStop(patience=12, min_delta=1e-4)
for epoch in range(400):
    model.train()
    total = 0.0
    for xb, yb in train:
        optimizer.zero_grad()
        loss = ((model(xb) - yb) ** 2).mean()
        loss.backward()
        optimizer.step()
        total += loss.item() * len(xb)
    v = mse(model, valid)
    if epoch % 5 == 0:
        print(f"epoch {epoch:3d} train {total / 1000:.3f} valid {v:.3f}")
    if stop(epoch, v, model):
        print(f"no progress for {stop.patience} epochs, stopping at epoch {epoch} (best was {stop.best_epoch})")
        break
model.load_state_dict(stop.weights)
print(f"train {mse(model, train):.3f} valid {stop.best:.3f} test {mse(model, test):.3f}; "
      f"test error {mse(model, test) ** 0.5 * ys.item():.2f} dt/ha")
