import sys

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from parts.net import Reader
from parts.state import restore


def dataset(part):
    f = np.load("stamps.npz")
    x = torch.tensor(f["x_" + part], dtype=torch.float32).unsqueeze(1)
    return TensorDataset((x - 5.0) / 6.0, torch.tensor(f["y_" + part], dtype=torch.long))


def evaluate(net, ds):
    net.eval()
    x, y = ds.tensors
    with torch.no_grad():
        out = net(x)
    return nn.functional.cross_entropy(out, y).item(), (out.argmax(1) == y).float().mean().item()


def main(stage):
    torch.manual_seed(1)
    train, dev = dataset("train"), dataset("dev")
    net = Reader(classes=10)
    print("restored tensors:", restore(net, stage))
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    loader = DataLoader(train, batch_size=32, shuffle=True)
    for epoch in range(25):
        net.train()
        for x, y in loader:
            loss = nn.functional.cross_entropy(net(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
        if epoch % 3 == 0:
            print("epoch %d  train %.3f/%.3f  dev %.3f/%.3f" % ((epoch,) + evaluate(net, train) + evaluate(net, dev)))


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "stage1.pt")
