import argparse

import torch
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset

from reviews import build


class BagClassifier(nn.Module):
    def __init__(self, vocab=800, dim=32):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.fc1 = nn.Linear(dim, 32)
        self.fc2 = nn.Linear(32, 2)

    def forward(self, ids):
        h = self.emb(ids).mean(1)
        return self.fc2(torch.relu(self.fc1(h)))


def epoch_loss(model, loader, criterion, optimizer):
    model.train()
    total, n = 0.0, 0
    for ids, y in loader:
        # the loss itself is taken in single precision
        loss = criterion(model(ids).float(), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item() * len(y)
        n += len(y)
    return total / n


@torch.no_grad()
def accuracy(model, loader):
    model.eval()
    hit = sum((model(ids).argmax(1) == y).sum().item() for ids, y in loader)
    return hit / len(loader.dataset)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--lr", type=float, default=2e-3)
    parser.add_argument("--half", action=argparse.BooleanOptionalAction, default=True,
                        help="keep the weights in float16 (fits the small cards)")
    args = parser.parse_args()
    torch.manual_seed(17)

    x, y = build()
    train_loader = DataLoader(TensorDataset(x[:2400], y[:2400]), batch_size=48, shuffle=True)
    test_loader = DataLoader(TensorDataset(x[2400:], y[2400:]), batch_size=200)

    model = BagClassifier()
    if args.half:
        model = model.half()
    optimizer = optim.Adam(model.parameters(), lr=args.lr)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(args.epochs):
        tl = epoch_loss(model, train_loader, criterion, optimizer)
        print("epoch %2d | train loss %.4f | test acc %.3f" % (epoch + 1, tl, accuracy(model, test_loader)))
