import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits

BATCH = 50
EPOCHS = 25


class MLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(64, 96)
        self.fc2 = nn.Linear(96, 48)
        self.fc3 = nn.Linear(48, 10)

    def forward(self, x):
        x = F.relu(self.fc1(x))
        x = F.relu(self.fc2(x))
        return self.fc3(x)


def batches(X, y, rng):
    """Yield mini-batches in a new random order."""
    order = rng.permutation(len(X))
    X = X[order]
    for start in range(0, len(X), BATCH):
        sl = slice(start, start + BATCH)
        yield torch.from_numpy(X[sl]), torch.from_numpy(y[sl])


def accuracy(net, X, y):
    net.eval()
    with torch.no_grad():
        out = net(torch.from_numpy(X)).argmax(1).numpy()
    return (out == y).mean()


def main():
    torch.manual_seed(0)
    rng = np.random.default_rng(0)
    d = load_digits()
    X = (d.data / 16.0 - 0.3).astype(np.float32) / 0.38
    y = d.target.astype(np.int64)
    split = rng.permutation(len(X))
    test, train = split[:360], split[360:]
    Xtr, ytr, Xte, yte = X[train], y[train], X[test], y[test]

    net = MLP()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
    for epoch in range(EPOCHS):
        net.train()
        losses = []
        for xb, yb in batches(Xtr, ytr, rng):
            optimizer.zero_grad()
            loss = F.cross_entropy(net(xb), yb)
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        print("epoch %2d  loss %.4f  test acc %.3f" % (epoch, np.mean(losses), accuracy(net, Xte, yte)))


if __name__ == "__main__":
    main()
