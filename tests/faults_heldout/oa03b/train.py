import argparse
import csv
from pathlib import Path

import numpy as np
import torch
from torch import nn


def parse():
    p = argparse.ArgumentParser(description="Embed handwritten glyphs with a triplet objective.")
    p.add_argument("--images", default="glyphs.npz")
    p.add_argument("--triplets", default="triplets.csv")
    p.add_argument("--epochs", type=int, default=6)
    p.add_argument("--batch", type=int, default=128)
    p.add_argument("--margin", type=float, default=0.6)
    p.add_argument("--lr", type=float, default=1e-3)
    p.add_argument("--seed", type=int, default=0)
    return p.parse_args()


class Embedder(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(),
            nn.Conv2d(16, 32, 3, padding=1, stride=2), nn.ReLU(),
        )
        self.head = nn.Linear(32 * 16, dim)

    def forward(self, x):
        z = self.head(self.conv(x).flatten(1))
        return nn.functional.normalize(z, dim=1)


def distance(a, b):
    return (a - b).pow(2).sum(1).sqrt()


def triplet_loss(model, a, p, n, margin):
    za, zp, zn = model(torch.cat([a, p, n])).chunk(3)
    return torch.relu(distance(za, zp) - distance(za, zn) + margin).mean()


@torch.no_grad()
def recall_at_1(model, gallery, gallery_y, query, query_y):
    model.eval()
    zg, zq = model(gallery), model(query)
    nearest = (zq @ zg.T).argmax(1)
    return (gallery_y[nearest] == query_y).float().mean().item()


def main():
    args = parse()
    torch.manual_seed(args.seed)
    here = Path(__file__).parent

    data = np.load(here / args.images)
    x = torch.from_numpy(data["train"]).float().div(16).unsqueeze(1)
    xq = torch.from_numpy(data["query"]).float().div(16).unsqueeze(1)
    y, yq = torch.from_numpy(data["train_id"]), torch.from_numpy(data["query_id"])
    with open(here / args.triplets, newline="") as f:
        rows = [(int(r["anchor"]), int(r["positive"]), int(r["negative"])) for r in csv.DictReader(f)]
    trip = torch.tensor(rows)

    model = Embedder()
    opt = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=1e-4)
    print(f"{len(x)} glyphs, {len(trip)} triplets, R@1 before training "
          f"{recall_at_1(model, x, y, xq, yq):.3f}")
    for epoch in range(args.epochs):
        model.train()
        losses = []
        for idx in torch.randperm(len(trip)).split(args.batch):
            a, p, n = trip[idx].T
            loss = triplet_loss(model, x[a], x[p], x[n], args.margin)
            opt.zero_grad()
            loss.backward()
            opt.step()
            losses.append(loss.item())
        r1 = recall_at_1(model, x, y, xq, yq)
        print(f"epoch {epoch:2d} loss {np.mean(losses):.4f} R@1 {r1:.3f}")


if __name__ == "__main__":
    main()
