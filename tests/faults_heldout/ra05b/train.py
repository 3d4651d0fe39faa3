import argparse

import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def parse():
    p = argparse.ArgumentParser(description="digit MLP")
    p.add_argument("--hidden", type=int, default=128)
    p.add_argument("--dropout", type=float, default=0.2)
    p.add_argument("--lr", type=float, default=1e-3)
    p.add_argument("--epochs", type=int, default=25)
    p.add_argument("--batch-size", type=int, default=32)
    p.add_argument("--seed", type=int, default=0)
    return p.parse_args()


def build(hidden, dropout):
    return nn.Sequential(
        nn.Linear(64, hidden), nn.ReLU(), nn.Dropout(dropout),
        nn.Linear(hidden, hidden), nn.ReLU(), nn.Dropout(dropout),
        nn.Linear(hidden, hidden), nn.ReLU(), nn.Dropout(dropout),
        nn.Linear(hidden, 10),
    )


def run_epoch(model, loader, opt=None):
    model.train(opt is not None)
    total, correct, n = 0.0, 0, 0
    with torch.set_grad_enabled(opt is not None):
        for x, y in loader:
            out = model(x)
            loss = nn.functional.cross_entropy(out, y)
            if opt is not None:
                opt.zero_grad()
                loss.backward()
                opt.step()
            total += loss.item() * len(y)
            correct += (out.argmax(1) == y).sum().item()
            n += len(y)
    return total / n, correct / n


def main():
    args = parse()
    torch.manual_seed(args.seed)
    d = load_digits()
    xa, xb, ya, yb = train_test_split(d.data, d.target, test_size=0.25, stratify=d.target, random_state=1)
    mu, sd = xa.mean(0), xa.std(0) + 1e-2
    mk = lambda x, y: TensorDataset(torch.tensor((x - mu) / sd, dtype=torch.float32).clamp(-5, 5), torch.tensor(y))
    train = DataLoader(mk(xa, ya), batch_size=args.batch_size, shuffle=True)
    test = DataLoader(mk(xb, yb), batch_size=256)
    model = build(args.hidden, args.dropout)
    opt = torch.optim.Adam(model.parameters(), lr=args.lr)
    for e in range(args.epochs):
        tl, ta = run_epoch(model, train, opt)
        vl, va = run_epoch(model, test)
        print(f"{e:3d} train {tl:.4f}/{ta:.3f} test {vl:.4f}/{va:.3f}")


if __name__ == "__main__":
    main()
