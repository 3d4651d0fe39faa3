import json
import os

import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch.utils.data import DataLoader, TensorDataset

from nets.mlp import MLP


def main():
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "config.json")) as fh:
        cfg = json.load(fh)
    tc = cfg["train"]
    torch.manual_seed(tc["seed"])
    X, y = load_digits(return_X_y=True)
    Xa, Xb, ya, yb = train_test_split(X / 16.0, y, test_size=0.2, random_state=tc["seed"], stratify=y)
    f = lambda X, y: TensorDataset(torch.tensor(X, dtype=torch.float32), torch.tensor(y))
    train = DataLoader(f(Xa, ya), batch_size=tc["batch_size"], shuffle=True)
    val = DataLoader(f(Xb, yb), batch_size=512)
    net = MLP(64, 10, **cfg["model"])
    opt = torch.optim.Adam(net.parameters(), lr=tc["lr"])
    ce = torch.nn.CrossEntropyLoss()
    for epoch in range(tc["epochs"]):
        net.train()
        tl = 0
        for x, t in train:
            opt.zero_grad()
            loss = ce(net(x), t)
            loss.backward()
            opt.step()
            tl += loss.item() * len(t)
        net.eval()
        with torch.no_grad():
            x, t = next(iter(val))
            z = net(x)
            print("epoch %d train %.4f val %.4f acc %.3f" % (epoch, tl / len(ya), ce(z, t).item(), (z.argmax(1) == t).float().mean()))


if __name__ == "__main__":
    main()
