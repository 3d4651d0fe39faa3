# Predicts the compressive strength of a concrete mix.
import configparser

import numpy as np
import torch
from torch.utils.data import DataLoader, TensorDataset, random_split

ini = configparser.ConfigParser()
ini.read("strength.ini")
train_cfg, net_cfg = ini["training"], ini["network"]
torch.manual_seed(train_cfg.getint("seed"))

table = np.genfromtxt("mixes.csv", delimiter=";", skip_header=1, dtype=np.float32)
X = torch.from_numpy(table[:, :-1].copy())
X[:, 5] = X[:, 5].log1p()
y = torch.from_numpy(table[:, -1:].copy())

n_train = int(0.8 * len(X))
train_set, val_set = random_split(TensorDataset(X, y), [n_train, len(X) - n_train])
Xt, yt = train_set.dataset.tensors[0][train_set.indices], train_set.dataset.tensors[1][train_set.indices]
x_mean, x_std, y_mean, y_std = Xt.mean(0), Xt.std(0), yt.mean(), yt.std()

loader = DataLoader(train_set, batch_size=train_cfg.getint("batch_size"), shuffle=True)
val_loader = DataLoader(val_set, batch_size=512)

layers, width = [], X.shape[1]
for h in net_cfg["hidden"].split(","):
    layers += [torch.nn.Linear(width, int(h)), torch.nn.SiLU()]
    width = int(h)
net = torch.nn.Sequential(*layers, torch.nn.Linear(width, 1))

optimizer = torch.optim.SGD(net.parameters(), lr=train_cfg.getfloat("lr"),
                            momentum=train_cfg.getfloat("momentum"), nesterov=True)
mse = torch.nn.MSELoss()
max_norm = train_cfg.getfloat("max_grad_norm")

for epoch in range(1, train_cfg.getint("epochs") + 1):
    net.train()
    total = 0.0
    for xb, yb in loader:
        xb, yb = (xb - x_mean) / x_std, (yb - y_mean) / y_std
        optimizer.zero_grad()
        loss = mse(net(xb), yb)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), max_norm)
        optimizer.step()
        total += loss.item() * len(xb)

    net.eval()
    with torch.no_grad():
        err = torch.cat([(net((xb - x_mean) / x_std) * y_std + y_mean) - yb for xb, yb in val_loader])
    if epoch % 2 == 0:
        print("epoch", epoch, "train mse (scaled)", round(total / n_train, 4),
              "val RMSE", round(err.pow(2).mean().sqrt().item(), 2), "MPa")
