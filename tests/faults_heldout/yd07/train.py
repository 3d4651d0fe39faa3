import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from sam import SAM


def net():
    def block(i, o):
        return nn.Sequential(nn.Conv2d(i, o, 3, padding=1, bias=False), nn.GroupNorm(4, o), nn.ReLU())

    return nn.Sequential(block(1, 16), block(16, 32), nn.MaxPool2d(2), block(32, 32), nn.AdaptiveAvgPool2d(2),
                         nn.Flatten(), nn.Linear(128, 10))


def accuracy(model, x, y):
    model.eval()
    with torch.no_grad():
        return (model(x).argmax(1) == y).float().mean().item()


def main():
    torch.manual_seed(21)
    d = load_digits()
    x = torch.tensor(d.images, dtype=torch.float32).unsqueeze(1)
    y = torch.tensor(d.target)
    tr, te = train_test_split(range(len(y)), test_size=0.25, stratify=d.target, random_state=21)
    mean, std = x[tr].mean(), x[tr].std()
    x = (x - mean) / std
    xtr, ytr, xte, yte = x[tr], y[tr], x[te], y[te]

    model = net()
    optimizer = SAM(model.parameters(), torch.optim.SGD, rho=0.05, lr=0.05, momentum=0.9, weight_decay=5e-4)
    epochs, bs = 12, 64
    for epoch in range(epochs):
        optimizer.param_groups[0]["lr"] = 0.05 * (1 - epoch / epochs)
        model.train()
        perm = torch.randperm(len(xtr))
        running, seen = 0.0, 0
        for i in range(0, len(perm), bs):
            idx = perm[i:i + bs]
            loss = F.cross_entropy(model(xtr[idx]), ytr[idx], label_smoothing=0.1)
            loss.backward()
            optimizer.ascend()
            F.cross_entropy(model(xtr[idx]), ytr[idx], label_smoothing=0.1).backward()
            optimizer.descend()
            running += loss.item() * len(idx)
            seen += len(idx)
        print(f"[{epoch + 1:02d}/{epochs}] loss={running / seen:.4f} test_acc={accuracy(model, xte, yte):.4f}")


if __name__ == "__main__":
    main()
