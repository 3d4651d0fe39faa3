"""Embedding of digits for retrieval; trained with triplets, judged by nearest neighbours."""
import argparse
from dataclasses import dataclass

import torch
from sklearn.datasets import load_digits
from torch import nn

DISTANCES = {
    "l2": nn.PairwiseDistance(2),
    "l1": nn.PairwiseDistance(1),
    "cosine": nn.CosineSimilarity(dim=-1),
}


@dataclass
class Options:
    distance: str = "cosine"
    margin: float = 0.3
    steps: int = 320
    batch: int = 48
    lr: float = 1e-3
    dim: int = 16
    seed: int = 10


class Embedder(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(), nn.Flatten(),
            nn.Linear(512, 64), nn.ReLU(), nn.Linear(64, dim),
        )

    def forward(self, x):
        return self.net(x)


class TripletSampler:
    def __init__(self, labels):
        self.labels = labels
        self.by_class = [torch.where(labels == c)[0] for c in range(10)]

    def __call__(self, n):
        pos_class = torch.randint(10, (n,))
        neg_class = (pos_class + torch.randint(1, 10, (n,))) % 10
        pick = lambda c: self.by_class[c][torch.randint(len(self.by_class[c]), (1,))]
        a = torch.cat([pick(c) for c in pos_class])
        p = torch.cat([pick(c) for c in pos_class])
        q = torch.cat([pick(c) for c in neg_class])
        return a, p, q


@torch.no_grad()
def retrieval(model, gallery, gallery_y, query, query_y, k=10):
    model.eval()
    g, q = (nn.functional.normalize(model(t), dim=-1) for t in (gallery, query))
    near = (q @ g.t()).topk(k, dim=1).indices
    match = gallery_y[near] == query_y[:, None]
    model.train()
    return match[:, 0].float().mean().item(), match.float().mean().item()


def main(o):
    torch.manual_seed(o.seed)
    d = load_digits()
    x = torch.tensor(d.images, dtype=torch.float32)[:, None] / 16 - 0.3
    y = torch.tensor(d.target)
    perm = torch.randperm(len(x))
    tr, te = perm[:1300], perm[1300:]
    model, sample = Embedder(o.dim), TripletSampler(y[tr])
    criterion = nn.TripletMarginWithDistanceLoss(distance_function=DISTANCES[o.distance], margin=o.margin)
    opt = torch.optim.Adam(model.parameters(), lr=o.lr)
    images = x[tr]
    for step in range(1, o.steps + 1):
        a, p, n = (model(images[i]) for i in sample(o.batch))
        loss = criterion(a, p, n)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 40 == 0:
            r1, p10 = retrieval(model, images, y[tr], x[te], y[te])
            print(f"step {step:4d} triplet loss {loss.item():.4f} recall@1 {r1:.3f} precision@10 {p10:.3f}")


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    for name, value in vars(Options()).items():
        ap.add_argument(f"--{name}", type=type(value), default=value)
    main(Options(**vars(ap.parse_args())))
