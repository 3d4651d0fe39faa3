import argparse

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch.utils.data import DataLoader, TensorDataset

from vision.model import DigitNet


def get_loaders(batch_size, seed):
    d = load_digits()
    img = torch.tensor(d.images, dtype=torch.float32).unsqueeze(1) / 16.0
    lab = torch.tensor(d.target)
    i, j = train_test_split(range(len(lab)), test_size=0.2, random_state=seed, stratify=d.target)
    return (
        DataLoader(TensorDataset(img[i], lab[i]), batch_size=batch_size, shuffle=True),
        DataLoader(TensorDataset(img[j], lab[j]), batch_size=256),
    )


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--width", type=int, default=16)
    p.add_argument("--epochs", type=int, default=10)
    p.add_argument("--lr", type=float, default=1e-3)
    p.add_argument("--seed", type=int, default=5)
    a = p.parse_args()
    torch.manual_seed(a.seed)
    train_dl, test_dl = get_loaders(32, a.seed)
    net = DigitNet(a.width)
    opt = torch.optim.Adam(net.parameters(), lr=a.lr)
    for ep in range(a.epochs):
        net.train()
        tot = cnt = 0
        for x, y in train_dl:
            loss = F.cross_entropy(net(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            tot, cnt = tot + loss.item(), cnt + 1
        net.eval()
        with torch.no_grad():
            ok = sum((net(x).argmax(1) == y).sum().item() for x, y in test_dl)
        print(f"epoch {ep}: loss {tot / cnt:.4f}, test acc {ok / len(test_dl.dataset):.4f}")


if __name__ == "__main__":
    main()
