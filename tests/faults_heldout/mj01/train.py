"""Fine-tune the glyph encoder for odd/even readings on a handful of labelled meter images."""
import argparse
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

from net import GlyphNet

HERE = Path(__file__).parent


def load_split(z, name):
    x = torch.from_numpy(z[f"{name}_images"]).float().div(16).unsqueeze(1)
    y = torch.from_numpy(z[f"{name}_odd"])
    return TensorDataset(x, y)


def load_pretrained(model, path):
    ckpt = torch.load(path, map_location="cpu")
    current = model.state_dict()
    weights = {k: v for k, v in ckpt["state_dict"].items() if k in current and not k.startswith("head")}
    current.update(weights)
    model.load_state_dict(current)
    print(f"initialised from {Path(path).name} (epoch {ckpt['epoch']})")
    return model


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    loss = hits = n = 0
    for x, y in loader:
        out = model(x)
        loss += F.cross_entropy(out, y, reduction="sum").item()
        hits += (out.argmax(1) == y).sum().item()
        n += len(y)
    return loss / n, hits / n


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=14)
    p.add_argument("--batch", type=int, default=8)
    p.add_argument("--lr-head", type=float, default=2e-3)
    p.add_argument("--lr-encoder", type=float, default=1e-4)
    p.add_argument("--init", default=str(HERE / "weights/glyph_pretrain.pt"))
    p.add_argument("--seed", type=int, default=3)
    args = p.parse_args()

    torch.manual_seed(args.seed)
    z = np.load(HERE / "data/meter_glyphs.npz")
    train = DataLoader(load_split(z, "train"), batch_size=args.batch, shuffle=True)
    test = DataLoader(load_split(z, "test"), batch_size=256)

    model = load_pretrained(GlyphNet(2), args.init)
    opt = torch.optim.Adam([
        {"params": model.encoder.parameters(), "lr": args.lr_encoder},
        {"params": model.head.parameters(), "lr": args.lr_head},
    ])
    for epoch in range(1, args.epochs + 1):
        model.train()
        total = 0.0
        for x, y in train:
            loss = F.cross_entropy(model(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(y)
        vl, va = evaluate(model, test)
        print(f"epoch {epoch:2d}  train {total / len(train.dataset):.4f}  test {vl:.4f}  acc {va:.3f}")


if __name__ == "__main__":
    main()
