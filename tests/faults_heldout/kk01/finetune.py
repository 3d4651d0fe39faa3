"""Few-shot glyph classifier on top of the pre-trained encoder."""
import argparse
from pathlib import Path

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from encoder import ConvEncoder, GlyphClassifier
from fewshot_data import few_shot

HERE = Path(__file__).resolve().parent


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--weights", default=str(HERE / "pretrained" / "encoder.pt"))
    p.add_argument("--per-class", type=int, default=8)
    p.add_argument("--epochs", type=int, default=60)
    p.add_argument("--lr", type=float, default=1e-2)
    p.add_argument("--seed", type=int, default=11)
    return p.parse_args()


def load_encoder(path):
    encoder = ConvEncoder()
    ckpt = torch.load(path, map_location="cpu")
    # the checkpoint also carries the pre-training head, which we do not need here
    encoder.load_state_dict(ckpt["state_dict"], strict=False)
    print(f"encoder weights: {Path(path).name} (epoch {ckpt['epoch']}, source acc {ckpt['acc']:.3f})")
    for p in encoder.parameters():
        p.requires_grad_(False)
    return encoder


@torch.no_grad()
def accuracy(model, loader):
    model.eval()
    hit = n = 0
    for x, y in loader:
        hit += (model(x).argmax(1) == y).sum().item()
        n += len(y)
    return hit / n


def main():
    args = parse()
    torch.manual_seed(args.seed)
    train_set, test_set = few_shot(args.per_class)
    train = DataLoader(train_set, batch_size=16, shuffle=True)
    test = DataLoader(test_set, batch_size=128)

    model = GlyphClassifier(load_encoder(args.weights), n_classes=10)
    opt = torch.optim.AdamW(model.head.parameters(), lr=args.lr, weight_decay=1e-3)
    for epoch in range(1, args.epochs + 1):
        model.train()
        total = 0.0
        for x, y in train:
            loss = F.cross_entropy(model(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(y)
        if epoch % 10 == 0:
            print(f"epoch {epoch:3d}  train loss {total / len(train_set):.4f}  test acc {accuracy(model, test):.3f}")


if __name__ == "__main__":
    main()
