import argparse

import torch
import torch.nn as nn
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader, TensorDataset


def make_data(batch):
    d = load_digits()
    x = torch.tensor(d.images, dtype=torch.float32).unsqueeze(1)
    x = (x - x.mean()) / x.std()
    y = torch.tensor(d.target)
    perm = torch.randperm(len(x))
    x, y = x[perm], y[perm]
    return (DataLoader(TensorDataset(x[:1408], y[:1408]), batch_size=batch, shuffle=True),
            DataLoader(TensorDataset(x[1408:], y[1408:]), batch_size=200))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.c1 = nn.Conv2d(1, 12, 3, padding=1)
        self.c2 = nn.Conv2d(12, 24, 3, padding=1)
        self.fc = nn.Linear(24 * 4, 10)

    def forward(self, x):
        x = torch.max_pool2d(torch.relu(self.c1(x)), 2)
        x = torch.max_pool2d(torch.relu(self.c2(x)), 2)
        return self.fc(x.flatten(1))


def train_one_epoch(model, loader, criterion, optimizer, accumulate):
    model.train()
    total = 0.0
    for i, (x, y) in enumerate(loader):
        optimizer.zero_grad()
        loss = criterion(model(x), y) / accumulate
        loss.backward()
        if (i + 1) % accumulate == 0:
            optimizer.step()
        total += loss.item() * accumulate
    return total / len(loader)


@torch.no_grad()
def test(model, loader):
    model.eval()
    hit = sum((model(x).argmax(1) == y).sum().item() for x, y in loader)
    return hit / len(loader.dataset)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--micro-batch", type=int, default=4)
    parser.add_argument("--accumulate", type=int, default=16)
    parser.add_argument("--lr", type=float, default=0.1)
    parser.add_argument("--momentum", type=float, default=0.8)
    parser.add_argument("--epochs", type=int, default=12)
    opt = parser.parse_args()
    torch.manual_seed(77)
    train_loader, test_loader = make_data(opt.micro_batch)
    model = Net()
    optimizer = torch.optim.SGD(model.parameters(), lr=opt.lr, momentum=opt.momentum)
    for epoch in range(opt.epochs):
        loss = train_one_epoch(model, train_loader, nn.CrossEntropyLoss(), optimizer, opt.accumulate)
        print(f"epoch {epoch + 1}: train loss {loss:.4f}, test acc {test(model, test_loader):.4f}")
