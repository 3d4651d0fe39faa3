import tomllib

import numpy as np
import torch
from sklearn.metrics import f1_score
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

cfg = tomllib.load(open("config.toml", "rb"))
torch.manual_seed(cfg["seed"])

raw = np.loadtxt(cfg["data"], delimiter=",", skiprows=1, dtype=np.float32)
x, y = torch.from_numpy(raw[:, :-cfg["tags"]]), torch.from_numpy(raw[:, -cfg["tags"]:])
train = TensorDataset(x[:1500], y[:1500])
x_test, y_test = x[1500:], y[1500:]

net = nn.Sequential(
    nn.Linear(x.shape[1], cfg["hidden"]),
    nn.ReLU(),
    nn.Dropout(0.1),
    nn.Linear(cfg["hidden"], cfg["tags"]),
)
criterion = nn.CrossEntropyLoss()
opt = torch.optim.Adam(net.parameters(), lr=cfg["lr"])

for epoch in range(cfg["epochs"]):
    net.train()
    losses = []
    for xb, tags in DataLoader(train, batch_size=cfg["batch"], shuffle=True):
        opt.zero_grad()
        loss = criterion(net(xb), tags)
        loss.backward()
        opt.step()
        losses.append(loss.item())
    net.eval()
    with torch.no_grad():
        chosen = torch.sigmoid(net(x_test)) > cfg["threshold"]
    micro = f1_score(y_test.numpy(), chosen.numpy(), average="micro", zero_division=0)
    exact = (chosen == y_test.bool()).all(1).float().mean().item()
    print(f"epoch {epoch + 1:2d}  loss {np.mean(losses):.4f}  micro-F1 {micro:.4f}  exact {exact:.4f}")
