from pathlib import Path

import torch
import yaml

from glyphs.data import build_loaders
from glyphs.engine import Engine
from glyphs.vit import TinyViT


def main():
    cfg = yaml.safe_load((Path(__file__).parent / "config.yaml").read_text())
    torch.manual_seed(cfg["data"]["seed"])
    train_loader, test_loader = build_loaders(**cfg["data"])
    model = TinyViT(**cfg["model"])
    print(f"{sum(p.numel() for p in model.parameters())} parameters, {len(train_loader)} batches per epoch")
    Engine(model, train_loader, test_loader, **cfg["optim"]).fit()


if __name__ == "__main__":
    main()
