import argparse

import torch
from sklearn.datasets import load_digits
from sklearn.metrics import f1_score
from sklearn.model_selection import train_test_split
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from stopping import EarlyStopping


def get_loaders(batch):
    d = load_digits()
    a, b, ya, yb = train_test_split(d.images, d.target, test_size=0.3, stratify=d.target, random_state=0)
    v, t, yv, yt = train_test_split(b, yb, test_size=0.5, stratify=yb, random_state=0)

    def ds(x, y):
        return TensorDataset(torch.tensor(x, dtype=torch.float32)[:, None] / 16 - 0.3, torch.tensor(y))

    return (DataLoader(ds(a, ya), batch, shuffle=True), DataLoader(ds(v, yv), 256), DataLoader(ds(t, yt), 256))


def cnn():
    return nn.Sequential(
        nn.Conv2d(1, 12, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(12, 24, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(), nn.Dropout(0.2), nn.Linear(96, 10))


@torch.no_grad()
def macro_f1(model, loader):
    model.eval()
    p, t = [], []
    for x, y in loader:
        p.append(model(x).argmax(1))
        t.append(y)
    return f1_score(torch.cat(t).numpy(), torch.cat(p).numpy(), average="macro")


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--max-epochs", type=int, default=60)
    ap.add_argument("--patience", type=int, default=6)
    ap.add_argument("--batch", type=int, default=64)
    ap.add_argument("--lr", type=float, default=1e-3)
    args = ap.parse_args()
    torch.manual_seed(31)

    train, val, test = get_loaders(args.batch)
    model = cnn()
    opt = torch.optim.Adam(model.parameters(), lr=args.lr)
    lossf = nn.CrossEntropyLoss()
    stopper = EarlyStopping(patience=args.patience)

    for epoch in range(1, args.max_epochs + 1):
        model.train()
        total = 0.0
        for x, y in train:
            opt.zero_grad()
            loss = lossf(model(x), y)
            loss.backward()
            opt.step()
            total += loss.item()
        f1 = macro_f1(model, val)
        print(f"epoch {epoch:2d}  loss {total / len(train):.4f}  val macro-F1 {f1:.4f}")
        if stopper(f1, model):
            print("stopping at epoch", epoch)
            break

    model.load_state_dict(stopper.best_state)
    print(f"test macro-F1 {macro_f1(model, test):.4f}")


if __name__ == "__main__":
    main()
