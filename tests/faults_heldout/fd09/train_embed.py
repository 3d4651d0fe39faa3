import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch.utils.data import DataLoader, Sampler, TensorDataset


class ClassBalancedSampler(Sampler):
    """Yields batches with `k` samples of each of `p` classes."""

    def __init__(self, labels, p, k, n_batches):
        self.by_class = [torch.where(labels == c)[0] for c in labels.unique()]
        self.p, self.k, self.n_batches = p, k, n_batches

    def __len__(self):
        return self.n_batches

    def __iter__(self):
        for _ in range(self.n_batches):
            batch = []
            for c in torch.randperm(len(self.by_class))[: self.p].tolist():
                pool = self.by_class[c]
                batch += pool[torch.randperm(len(pool))[: self.k]].tolist()
            yield batch


class Encoder(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(),
            nn.Conv2d(16, 32, 3, padding=1, stride=2), nn.ReLU(),
            nn.Conv2d(32, 32, 3, padding=1), nn.ReLU())
        self.proj = nn.Linear(32 * 16, dim)

    def forward(self, x):
        return F.normalize(self.proj(self.conv(x).flatten(1)), dim=1)


def supcon(z, y, temperature):
    """Supervised contrastive loss: every sample of the same class is a positive."""
    eye = torch.eye(len(y), dtype=torch.bool)
    sim = (z @ z.T / temperature).masked_fill(eye, -1e9)
    log_prob = sim - sim.logsumexp(1, keepdim=True)
    pos = ((y[:, None] == y[None, :]) & ~eye).float()
    return -((log_prob * pos).sum(1) / pos.sum(1)).mean()


@torch.no_grad()
def recall_at_1(model, gallery, gallery_y, query, query_y):
    model.eval()
    g, q = model(gallery), model(query)
    nearest = (q @ g.T).argmax(1)
    return (gallery_y[nearest] == query_y).float().mean().item()


def main(args):
    torch.manual_seed(args.seed)
    digits = load_digits()
    x = torch.tensor(digits.images, dtype=torch.float32)[:, None] / 8 - 1
    y = torch.tensor(digits.target)
    x_tr, x_te, y_tr, y_te = train_test_split(x, y, test_size=0.3, stratify=y, random_state=args.seed)

    sampler = ClassBalancedSampler(y_tr, p=8, k=6, n_batches=40)
    loader = DataLoader(TensorDataset(x_tr, y_tr), batch_sampler=sampler)
    test_loader = DataLoader(TensorDataset(x_te, y_te), batch_sampler=ClassBalancedSampler(y_te, p=8, k=6, n_batches=10))
    model = Encoder()
    opt = torch.optim.Adam(model.parameters(), lr=args.lr)
    sched = torch.optim.lr_scheduler.ExponentialLR(opt, 0.85)
    for epoch in range(args.epochs):
        model.train()
        total = 0.0
        for xb, yb in loader:
            dy, dx = torch.randint(-1, 2, (2,)).tolist()
            xb = torch.roll(F.pad(xb, (1, 1, 1, 1), value=-1.0), (dy, dx), (2, 3))[..., 1:-1, 1:-1]
            loss = supcon(model(xb + 0.1 * torch.randn_like(xb)), yb, args.temperature)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item()
        sched.step()
        r1 = recall_at_1(model, x_tr, y_tr, x_te, y_te)
        with torch.no_grad():
            test_loss = sum(supcon(model(xb), yb, args.temperature).item() for xb, yb in test_loader) / len(test_loader)
        print(f"epoch {epoch:2d}  train supcon {total / len(loader):.4f}  test supcon {test_loss:.4f}  recall@1 {r1:.4f}")


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=20)
    p.add_argument("--lr", type=float, default=2e-3)
    p.add_argument("--temperature", type=float, default=0.2)
    p.add_argument("--seed", type=int, default=0)
    main(p.parse_args())
