"""Few-shot linear probe on top of the pretrained digit encoder."""
import argparse
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from model import Probe

ROOT = Path(__file__).parent


def get_data(shots, seed):
    d = load_digits()
    x = torch.tensor(d.images / 16.0, dtype=torch.float32).unsqueeze(1)
    y = torch.tensor(d.target)
    pool, test = train_test_split(np.arange(len(y)), test_size=600, stratify=y, random_state=seed)
    keep = np.concatenate([pool[y[pool].numpy() == c][:shots] for c in range(10)])
    return x[keep], y[keep], x[test], y[test]


def restore(model, path):
    ckpt = torch.load(path, map_location="cpu", weights_only=True)
    model.load_state_dict(ckpt["state_dict"], strict=False)
    print(f"restored {path.name} (step {ckpt['step']})")


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--weights", default="encoder.pt")
    ap.add_argument("--shots", type=int, default=8)
    ap.add_argument("--epochs", type=int, default=60)
    ap.add_argument("--lr", type=float, default=3e-3)
    args = ap.parse_args()

    torch.manual_seed(11)
    xtr, ytr, xte, yte = get_data(args.shots, 11)
    net = Probe(10)
    restore(net, ROOT / args.weights)
    for p in net.encoder.parameters():
        p.requires_grad_(False)

    opt = torch.optim.Adam(net.head.parameters(), lr=args.lr)
    for epoch in range(1, args.epochs + 1):
        net.train()
        perm = torch.randperm(len(xtr))
        running = []
        for idx in perm.split(16):
            loss = F.cross_entropy(net(xtr[idx]), ytr[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            running.append(loss.item())
        if epoch % 5 == 0:
            net.eval()
            with torch.no_grad():
                acc = (net(xte).argmax(1) == yte).float().mean().item()
            print(f"epoch {epoch:3d}  loss {np.mean(running):.4f}  test acc {acc:.4f}")


if __name__ == "__main__":
    main()
