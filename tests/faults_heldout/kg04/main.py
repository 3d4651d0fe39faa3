"""Handwritten digits with a patch mixer."""
import torch
from torch import nn
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch.utils.data import DataLoader, TensorDataset

from learner import Learner


class MixerBlock(nn.Module):
    def __init__(self, tokens, dim):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.tok = nn.Sequential(nn.Linear(tokens, 2 * tokens), nn.GELU(), nn.Linear(2 * tokens, tokens))
        self.ch = nn.Sequential(nn.Linear(dim, 2 * dim), nn.GELU(), nn.Linear(2 * dim, dim))

    def forward(self, x):
        x = x + self.tok(self.n1(x).transpose(1, 2)).transpose(1, 2)
        return x + self.ch(self.n2(x))


class Mixer(nn.Module):
    def __init__(self, dim=32, blocks=2, classes=10):
        super().__init__()
        self.patch = nn.Conv2d(1, dim, 2, stride=2)
        self.blocks = nn.Sequential(*[MixerBlock(16, dim) for _ in range(blocks)])
        self.norm = nn.LayerNorm(dim)
        self.head = nn.Linear(dim, classes)

    def forward(self, x):
        h = self.patch(x).flatten(2).transpose(1, 2)
        return self.head(self.norm(self.blocks(h)).mean(1))


def loaders(batch):
    d = load_digits()
    x = torch.tensor(d.images, dtype=torch.float32).unsqueeze(1) / 16.0 - 0.3
    y = torch.tensor(d.target)
    a, b = train_test_split(range(len(y)), test_size=0.25, random_state=0, stratify=d.target)
    return (DataLoader(TensorDataset(x[a], y[a]), batch_size=batch, shuffle=True),
            DataLoader(TensorDataset(x[b], y[b]), batch_size=150))


def main(epochs=20):
    torch.manual_seed(7)
    train_loader, val_loader = loaders(64)
    model = Mixer()
    opt = torch.optim.AdamW(model.parameters(), lr=8e-4, weight_decay=0.02)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=epochs)
    hist = Learner(model, opt, sched).fit(train_loader, val_loader, epochs)
    print(f"accuracy on the held-out digits: {hist[-1]['val_acc']:.4f}")


if __name__ == "__main__":
    main()
