import torch
from torch import nn


def accuracy(model, loader):
    model.eval()
    right = seen = 0
    with torch.no_grad():
        for x, y in loader:
            right += (model(x).argmax(1) == y).sum().item()
            seen += len(y)
    return right / seen


def fit(model, train_loader, val_loader, epochs, lr, momentum=0.9):
    criterion = nn.CrossEntropyLoss()
    opt = torch.optim.SGD(model.parameters(), lr=lr, momentum=momentum, weight_decay=1e-4, nesterov=True)
    for epoch in range(epochs):
        model.train()
        total, count = 0.0, 0
        for x, y in train_loader:
            loss = criterion(model(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(y)
            count += len(y)
        print(f"epoch {epoch:>2} | loss {total / count:.4f} | val acc {accuracy(model, val_loader):.4f}")
