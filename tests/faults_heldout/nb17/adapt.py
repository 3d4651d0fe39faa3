"""Adapt a frozen digit classifier to a new scanner with low-rank adapters."""
from pathlib import Path

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

ROOT = Path(__file__).parent
RANK, ALPHA = 8, 16


class LoRALinear(nn.Module):
    """y = W x + b + (alpha / r) * B A x, with W and b frozen."""

    def __init__(self, base, rank, alpha):
        super().__init__()
        self.base = base
        self.lora_a = nn.Parameter(torch.zeros(rank, base.in_features))
        self.lora_b = nn.Parameter(torch.zeros(base.out_features, rank))
        self.scale = alpha / rank

    def forward(self, x):
        return self.base(x) + self.scale * F.linear(F.linear(x, self.lora_a), self.lora_b)


def base_model():
    return nn.Sequential(nn.Linear(64, 96), nn.GELU(), nn.Linear(96, 96), nn.GELU(), nn.Linear(96, 10))


def add_adapters(model):
    for p in model.parameters():
        p.requires_grad_(False)
    for name, child in list(model.named_children()):
        if isinstance(child, nn.Linear):
            setattr(model, name, LoRALinear(child, RANK, ALPHA))
    return [p for p in model.parameters() if p.requires_grad]


def new_scanner(images):
    """The new device scans sheets turned by 90 degrees and with a softer contrast."""
    return (torch.rot90(images, 1, dims=(1, 2)) * 0.8 + 0.1).flatten(1) - 0.3


@torch.no_grad()
def accuracy(model, x, y):
    model.eval()
    return (model(x).argmax(1) == y).float().mean().item()


def main():
    torch.manual_seed(12)
    digits = load_digits()
    images = torch.tensor(digits.images, dtype=torch.float32) / 16.0
    x, y = new_scanner(images), torch.tensor(digits.target)
    tr, va = train_test_split(range(len(y)), test_size=0.3, stratify=digits.target, random_state=4)
    x_tr, y_tr, x_va, y_va = x[tr], y[tr], x[va], y[va]

    model = base_model()
    model.load_state_dict(torch.load(ROOT / "base.pt", weights_only=True))
    print(f"base model on the new scanner: {accuracy(model, x_va, y_va):.3f}")
    trainable = add_adapters(model)
    print(f"adapter parameters: {sum(p.numel() for p in trainable)}")

    optimizer = torch.optim.AdamW(trainable, lr=2e-3, weight_decay=0.0)
    for epoch in range(1, 26):
        model.train()
        total = 0.0
        for idx in torch.randperm(len(x_tr)).split(32):
            loss = F.cross_entropy(model(x_tr[idx]), y_tr[idx])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item() * len(idx)
        if epoch % 5 == 0 or epoch == 1:
            print(f"epoch {epoch:2d}  loss {total / len(x_tr):.4f}  val acc {accuracy(model, x_va, y_va):.3f}")


if __name__ == "__main__":
    main()
