"""Same-writer-symbol verification: learn an embedding in which two scans of the same symbol are close."""
import argparse
import csv
from pathlib import Path

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset
from sklearn.metrics import roc_auc_score

from encoder import Encoder, contrastive_loss, pair_distance

HERE = Path(__file__).parent


class PairSet(Dataset):
    def __init__(self, images, csv_path):
        self.images = images
        with open(csv_path) as f:
            rows = list(csv.DictReader(f))
        self.left = [int(r["left"]) for r in rows]
        self.right = [int(r["right"]) for r in rows]
        self.same = [float(r["same"]) for r in rows]

    def __len__(self):
        return len(self.same)

    def __getitem__(self, i):
        return self.images[self.left[i]], self.images[self.right[i]], self.same[i]


def load_images():
    raw = np.load(HERE / "scans.npz")["scans"].astype("float32")
    x = torch.from_numpy(raw).unsqueeze(1)
    return (x - 4.9) / 6.0


@torch.no_grad()
def evaluate(net, loader, margin):
    net.eval()
    dists, labels, losses = [], [], []
    for a, b, same in loader:
        d = pair_distance(net(a), net(b))
        losses.append(contrastive_loss(d, same.float(), margin).item() * len(same))
        dists.append(d)
        labels.append(same)
    net.train()
    d = torch.cat(dists).nan_to_num(0.0)
    y = torch.cat(labels)
    return sum(losses) / len(y), roc_auc_score(y.numpy(), -d.numpy())


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=12)
    ap.add_argument("--batch-size", type=int, default=64)
    ap.add_argument("--lr", type=float, default=1e-3)
    ap.add_argument("--margin", type=float, default=2.0)
    ap.add_argument("--seed", type=int, default=11)
    args = ap.parse_args()

    torch.manual_seed(args.seed)
    images = load_images()
    train = DataLoader(PairSet(images, HERE / "pairs_train.csv"), batch_size=args.batch_size, shuffle=True)
    val = DataLoader(PairSet(images, HERE / "pairs_val.csv"), batch_size=256)

    net = Encoder()
    opt = torch.optim.Adam(net.parameters(), lr=args.lr, weight_decay=1e-4)
    for epoch in range(1, args.epochs + 1):
        total = 0.0
        for a, b, same in train:
            opt.zero_grad()
            dist = pair_distance(net(a), net(b))
            loss = contrastive_loss(dist, same.float(), args.margin)
            loss.backward()
            opt.step()
            total += loss.item() * len(same)
        vloss, auc = evaluate(net, val, args.margin)
        print(f"epoch {epoch:2d}  train {total / len(train.dataset):.4f}  val {vloss:.4f}  auc {auc:.4f}")


if __name__ == "__main__":
    main()
