"""Which gas is the sensor array smelling?  Reads run.ini, prints one line every few epochs."""
import configparser

import numpy as np
import torch
from torch import nn

ACTS = {"relu": nn.ReLU, "tanh": nn.Tanh, "sigmoid": nn.Sigmoid, "gelu": nn.GELU}

ini = configparser.ConfigParser()
ini.read("run.ini")
torch.manual_seed(ini.getint("data", "seed"))

table = np.loadtxt(ini["data"]["path"], delimiter=",", skiprows=1, dtype=np.float32)
rng = np.random.default_rng(ini.getint("data", "seed"))
table = table[rng.permutation(len(table))]
n_hold = int(len(table) * ini.getfloat("data", "holdout"))
X, y = table[:, :-1], table[:, -1].astype(np.int64)
mean, std = X[n_hold:].mean(0), X[n_hold:].std(0)
X = torch.from_numpy((X - mean) / std)
y = torch.from_numpy(y)
Xte, yte, Xtr, ytr = X[:n_hold], y[:n_hold], X[n_hold:], y[n_hold:]


def make_net():
    h, d = ini.getint("model", "hidden"), ini.getint("model", "depth")
    act = ACTS[ini["model"]["act"]]
    layers = [nn.Linear(Xtr.shape[1], h), act()]
    for _ in range(d - 1):
        layers += [nn.Linear(h, h), act()]
    layers.append(nn.Linear(h, int(y.max()) + 1))
    return nn.Sequential(*layers)


net = make_net()
opt = torch.optim.Adam(net.parameters(), lr=ini.getfloat("train", "lr"), weight_decay=1e-5)
loss_fn = nn.CrossEntropyLoss()
bs = ini.getint("train", "batch")

for epoch in range(ini.getint("train", "epochs")):
    net.train()
    order = torch.randperm(len(Xtr))
    running = 0.0
    for s in range(0, len(order), bs):
        idx = order[s:s + bs]
        loss = loss_fn(net(Xtr[idx]), ytr[idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
        running += loss.item() * len(idx)
    if epoch % 4 == 3:
        net.eval()
        with torch.no_grad():
            out = net(Xte)
            acc = (out.argmax(1) == yte).float().mean().item()
            print(f"epoch {epoch + 1:3d}  train {running / len(Xtr):.4f}  "
                  f"test {loss_fn(out, yte).item():.4f}  acc {acc:.3f}")
