import tomllib

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader

from stream import ShardStream

with open("run.toml", "rb") as fh:
    cfg = tomllib.load(fh)

torch.manual_seed(17)
held = np.load("heldout.npz")
stats = held["train_mean"], held["train_std"]
xv = torch.from_numpy(((held["feats"].astype(np.float32) - stats[0]) / stats[1]).astype(np.float32))
yv = torch.from_numpy(held["label"].astype(np.int64))

stream = ShardStream(cfg["stream"]["folder"], cfg["stream"]["shuffle_buffer"], stats)
loader = DataLoader(stream, batch_size=cfg["stream"]["batch_size"])

layers, width = [], xv.shape[1]
for h in cfg["model"]["hidden"]:
    layers += [nn.Linear(width, h), nn.ReLU(), nn.Dropout(cfg["model"]["dropout"])]
    width = h
net = nn.Sequential(*layers, nn.Linear(width, int(yv.max()) + 1))

o = cfg["optim"]
opt = torch.optim.SGD(net.parameters(), lr=o["lr"], momentum=o["momentum"], weight_decay=o["weight_decay"])
ce = nn.CrossEntropyLoss()

for epoch in range(o["epochs"]):
    net.train()
    seen, total = 0, 0.0
    for x, y in loader:
        loss = ce(net(x), y)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        seen += len(y)
        total += loss.item() * len(y)
    net.eval()
    with torch.inference_mode():
        logits = net(xv)
        print(f"epoch {epoch}: {seen} records, train loss {total / seen:.3f}, "
              f"held-out loss {ce(logits, yv):.3f}, accuracy {(logits.argmax(1) == yv).float().mean():.3f}")
