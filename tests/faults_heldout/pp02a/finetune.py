import argparse
from pathlib import Path

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from faultnet import Head, VibrationEncoder, load_split, restore_encoder

ROOT = Path(__file__).resolve().parent


def get_args():
    p = argparse.ArgumentParser(description="Classify bearing states of one machine with the shared encoder")
    p.add_argument("--data", default=str(ROOT / "press_line.npz"))
    p.add_argument("--encoder", default=str(ROOT / "encoder.pt"))
    p.add_argument("--classes", type=int, default=6)
    p.add_argument("--epochs", type=int, default=25)
    p.add_argument("--batch-size", type=int, default=32)
    p.add_argument("--lr", type=float, default=1e-2)
    p.add_argument("--seed", type=int, default=3)
    return p.parse_args()


@torch.no_grad()
def score(encoder, head, loader):
    encoder.eval()
    head.eval()
    hits = total = 0
    for x, y in loader:
        hits += (head(encoder(x)).argmax(1) == y).sum().item()
        total += len(y)
    return hits / total


def main():
    args = get_args()
    torch.manual_seed(args.seed)

    train = load_split(args.data, "train")
    test = load_split(args.data, "test")
    train_loader = DataLoader(train, batch_size=args.batch_size, shuffle=True)
    test_loader = DataLoader(test, batch_size=256)

    encoder = VibrationEncoder()
    meta = restore_encoder(encoder, args.encoder)
    print("encoder:", meta.get("name", "?"), "| windows:", len(train), "train", len(test), "test")

    # linear evaluation protocol: the encoder stays as it is, only the head learns
    encoder.requires_grad_(False)
    encoder.eval()
    head = Head(encoder.proj.out_features, args.classes)
    optimizer = torch.optim.AdamW(head.parameters(), lr=args.lr, weight_decay=1e-4)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, args.epochs)

    for epoch in range(args.epochs):
        head.train()
        running = 0.0
        for x, y in train_loader:
            with torch.no_grad():
                z = encoder(x)
            loss = F.cross_entropy(head(z), y)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
            running += loss.item() * len(y)
        scheduler.step()
        if epoch % 4 == 0 or epoch == args.epochs - 1:
            print(f"[{epoch:02d}] loss {running / len(train):.4f}  test acc {score(encoder, head, test_loader):.3f}")


if __name__ == "__main__":
    main()
