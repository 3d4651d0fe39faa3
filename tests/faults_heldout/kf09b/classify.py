import argparse

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from nets import CharCNN
from titles import DEPARTMENTS, Titles


def get_args():
    p = argparse.ArgumentParser(description="department from the product title")
    p.add_argument("--emb-drop", type=float, default=0.1)
    p.add_argument("--fc-drop", type=float, default=0.2)
    p.add_argument("--lr", type=float, default=2e-3)
    p.add_argument("--epochs", type=int, default=12)
    p.add_argument("--batch", type=int, default=32)
    return p.parse_args()


def run_eval(net, loader):
    net.eval()
    n = ok = 0
    ce = 0.0
    with torch.inference_mode():
        for ids, dep in loader:
            o = net(ids)
            ce += F.cross_entropy(o, dep, reduction="sum").item()
            ok += (o.argmax(-1) == dep).sum().item()
            n += len(dep)
    return ce / n, ok / n


if __name__ == "__main__":
    args = get_args()
    torch.manual_seed(12)
    train = DataLoader(Titles("titles_train.tsv"), batch_size=args.batch, shuffle=True)
    dev = DataLoader(Titles("titles_dev.tsv"), batch_size=200)
    net = CharCNN(len(DEPARTMENTS), emb_drop=args.emb_drop, fc_drop=args.fc_drop)
    opt = torch.optim.AdamW(net.parameters(), lr=args.lr)
    for ep in range(args.epochs):
        net.train()
        acc_loss = 0.0
        for ids, dep in train:
            opt.zero_grad()
            loss = F.cross_entropy(net(ids), dep)
            loss.backward()
            opt.step()
            acc_loss += loss.item()
        ce, acc = run_eval(net, dev)
        print(f"{ep + 1:2d}  train {acc_loss / len(train):.4f}  dev {ce:.4f}  acc {acc:.3f}")
