import configparser
from pathlib import Path

import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from backbone import Transfer

here = Path(__file__).parent.resolve()
ini = configparser.ConfigParser()
ini.read(here / "transfer.ini")
opts = ini["transfer"]


def odd_digits():
    d = load_digits()
    keep = d.target % 2 == 1
    x = torch.tensor(d.images[keep] / 16.0, dtype=torch.float32)[:, None]
    y = torch.tensor(d.target[keep] // 2)
    g = torch.Generator().manual_seed(2)
    order = torch.randperm(len(y), generator=g)
    x, y = x[order], y[order]
    return TensorDataset(x[:600], y[:600]), TensorDataset(x[600:], y[600:])


torch.manual_seed(14)
train, val = odd_digits()
model = Transfer(here / opts["weights"], 5)
head = [p for p in model.parameters() if p.requires_grad]
opt = torch.optim.SGD(head, lr=opts.getfloat("lr"), momentum=0.9)
ce = nn.CrossEntropyLoss()
best = 0.0
for epoch in range(opts.getint("epochs")):
    model.train()
    total = 0.0
    for x, y in DataLoader(train, opts.getint("batch_size"), shuffle=True):
        opt.zero_grad()
        loss = ce(model(x), y)
        loss.backward()
        opt.step()
        total += loss.item() * len(y)
    model.eval()
    with torch.no_grad():
        x, y = val.tensors
        out = model(x)
        acc = (out.argmax(1) == y).float().mean().item()
    best = max(best, acc)
    print(f"{epoch:02d} train {total / len(train):.4f} val {ce(out, y).item():.4f} acc {acc:.4f} best {best:.4f}")
