import torch
from torch import nn
from torch.utils.data import DataLoader

from dataset import SoundFeatures


def accuracy_and_loss(net, loader, criterion):
    net.eval()
    loss = correct = seen = 0
    with torch.no_grad():
        for x, y in loader:
            z = net(x)
            loss += criterion(z, y).item() * len(y)
            correct += (z.argmax(-1) == y).sum().item()
            seen += len(y)
    return loss / seen, correct / seen


def main():
    torch.manual_seed(77)
    train_set = SoundFeatures("features", "train")
    valid_set = SoundFeatures("features", "valid", stats=train_set.stats)
    train_loader = DataLoader(train_set, batch_size=16)
    valid_loader = DataLoader(valid_set, batch_size=64)

    net = nn.Sequential(
        nn.Linear(26, 64), nn.ReLU(), nn.Dropout(0.3),
        nn.Linear(64, 64), nn.ReLU(), nn.Dropout(0.3),
        nn.Linear(64, len(train_set.classes)),
    )
    criterion = nn.CrossEntropyLoss()
    opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-4)

    for epoch in range(12):
        net.train()
        total = 0.0
        for x, y in train_loader:
            opt.zero_grad()
            loss = criterion(net(x), y)
            loss.backward()
            opt.step()
            total += loss.item() * len(y)
        if (epoch + 1) % 2 == 0:
            vl, va = accuracy_and_loss(net, valid_loader, criterion)
            print(f"epoch {epoch + 1:2d} | loss {total / len(train_set):.3f} | valid {vl:.3f} | acc {va:.1%}")


if __name__ == "__main__":
    main()
