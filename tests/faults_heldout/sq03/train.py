"""Digit retrieval: an embedding trained with batch-hard triplets, judged by nearest neighbour in the gallery."""
from dataclasses import dataclass
import numpy as np
import torch
from torch import nn
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split


@dataclass
class Config:
    classes_per_batch: int = 8
    images_per_class: int = 6
    steps: int = 1200
    margin: float = 0.3
    lr: float = 1e-3
    dim: int = 24
    report_every: int = 100
    seed: int = 21


class PKSampler:
    """P classes, K images of each."""

    def __init__(self, labels, p, k, seed):
        self.rng = np.random.default_rng(seed)
        self.by_class = {c: np.flatnonzero(labels == c) for c in np.unique(labels)}
        self.p, self.k = p, k

    def draw(self):
        chosen = self.rng.choice(list(self.by_class), self.p, replace=False)
        return np.concatenate([self.rng.choice(self.by_class[c], self.k, replace=False) for c in chosen])


class Embedder(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(),
            nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten())
        self.project = nn.Linear(32 * 16, dim)

    def forward(self, x):
        return nn.functional.normalize(self.project(self.features(x)), dim=1)


def batch_hard(emb, labels, margin):
    d = (2 - 2 * emb @ emb.t()).clamp_min(1e-12).sqrt()
    same = labels[:, None] == labels[None, :]
    eye = torch.eye(len(labels), dtype=torch.bool)
    hardest_pos = d.masked_fill(~same | eye, -1).max(1).values
    hardest_neg = d.masked_fill(same, 9).min(1).values
    triplet = (hardest_pos - hardest_neg + margin).clamp_min(0)
    active = triplet > 0
    # easy triplets give no gradient, so the mean goes over the violating ones only
    loss = triplet.sum() / active.sum().clamp_min(1)
    return loss, active.float().mean()


@torch.no_grad()
def recall_at_1(model, gallery, gallery_y, query, query_y):
    model.eval()
    nearest = (model(query) @ model(gallery).t()).argmax(1)
    model.train()
    return (gallery_y[nearest] == query_y).float().mean().item()


def main(cfg=Config()):
    torch.manual_seed(cfg.seed)
    images, labels = load_digits(return_X_y=True)
    images = torch.tensor(images / 16.0, dtype=torch.float32).view(-1, 1, 8, 8)
    labels = torch.tensor(labels)
    rest, test = train_test_split(np.arange(len(labels)), test_size=0.5, stratify=labels, random_state=cfg.seed)
    x, y = images[rest], labels[rest]

    sampler = PKSampler(y.numpy(), cfg.classes_per_batch, cfg.images_per_class, cfg.seed)
    model = Embedder(cfg.dim)
    opt = torch.optim.Adam(model.parameters(), lr=cfg.lr)
    run_loss = run_active = 0.0
    for step in range(1, cfg.steps + 1):
        i = sampler.draw()
        loss, active = batch_hard(model(x[i]), y[i], cfg.margin)
        opt.zero_grad()
        loss.backward()
        opt.step()
        run_loss += loss.item()
        run_active += active.item()
        if step % cfg.report_every == 0:
            r = recall_at_1(model, x, y, images[test], labels[test])
            print(f"step {step:4d}  loss {run_loss / cfg.report_every:.4f}  active triplets "
                  f"{run_active / cfg.report_every:.3f}  recall@1 {r:.4f}")
            run_loss = run_active = 0.0


if __name__ == "__main__":
    main()
