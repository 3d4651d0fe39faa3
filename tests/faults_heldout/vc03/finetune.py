"""Few-shot fine-tuning of the pretrained digit encoder on a new two-class task."""
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import nn

from transfer.backbone import Classifier
from transfer.data import loaders
from transfer.weights import load_pretrained


@dataclass
class Config:
    checkpoint: Path = Path(__file__).parent / "weights" / "encoder_v2.pt"
    shots: int = 5
    epochs: int = 60
    batch_size: int = 10
    head_lr: float = 3e-3
    backbone_lr: float = 1e-4
    weight_decay: float = 1e-2
    seed: int = 5


@torch.no_grad()
def accuracy(model, loader):
    model.eval()
    hits = sum((model(x).argmax(1) == y).sum().item() for x, y in loader)
    return hits / len(loader.dataset)


def main(cfg: Config):
    torch.manual_seed(cfg.seed)
    train_loader, test_loader = loaders(cfg.shots, cfg.batch_size, cfg.seed)
    model = load_pretrained(Classifier(n_classes=2), cfg.checkpoint)
    optimizer = torch.optim.AdamW(
        [
            {"params": model.backbone.parameters(), "lr": cfg.backbone_lr},
            {"params": model.head.parameters(), "lr": cfg.head_lr},
        ],
        weight_decay=cfg.weight_decay,
    )
    criterion = nn.CrossEntropyLoss()

    for epoch in range(1, cfg.epochs + 1):
        model.train()
        total = 0.0
        for x, y in train_loader:
            loss = criterion(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item() * len(y)
        if epoch % 10 == 0:
            print(f"epoch {epoch:3d} loss {total / len(train_loader.dataset):.4f} test acc {accuracy(model, test_loader):.3f}")


if __name__ == "__main__":
    main(Config())
