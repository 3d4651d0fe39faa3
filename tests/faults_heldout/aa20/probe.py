import argparse

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import TensorDataset

from backbone import ConvBackbone
from features import Whiten, extract, make_loader


def datasets(path, n_train):
    z = np.load(path)
    x = torch.from_numpy(z["images"].astype(np.float32))[:, None] / 16.0
    y = torch.from_numpy(z["labels"]).long()
    return TensorDataset(x[:n_train], y[:n_train]), TensorDataset(x[n_train:], y[n_train:])


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--data", default="plates.npz")
    p.add_argument("--backbone", default="backbone.pt")
    p.add_argument("--batch", type=int, default=64)
    p.add_argument("--epochs", type=int, default=60)
    p.add_argument("--lr", type=float, default=5e-3)
    a = p.parse_args()
    torch.manual_seed(9)

    backbone = ConvBackbone()
    backbone.load_state_dict(torch.load(a.backbone))
    train_set, test_set = datasets(a.data, 800)
    train_f = extract(backbone, make_loader(train_set, a.batch))
    test_f = extract(backbone, make_loader(test_set, a.batch, shuffle=False))
    whiten = Whiten(train_f)
    cached = TensorDataset(whiten(train_f), train_set.tensors[1])
    test_x, test_y = whiten(test_f), test_set.tensors[1]

    head = nn.Sequential(nn.Linear(backbone.dim, 64), nn.ReLU(), nn.Dropout(0.2), nn.Linear(64, 10))
    opt = torch.optim.Adam(head.parameters(), lr=a.lr, weight_decay=1e-4)
    for epoch in range(1, a.epochs + 1):
        head.train()
        total = 0.0
        for x, y in make_loader(cached, a.batch):
            loss = F.cross_entropy(head(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(y)
        if epoch % 10 == 0:
            head.eval()
            with torch.no_grad():
                acc = (head(test_x).argmax(1) == test_y).float().mean().item()
            print(f"epoch {epoch:3d} loss {total / len(cached):.4f} test accuracy {acc:.3f}")


if __name__ == "__main__":
    main()
