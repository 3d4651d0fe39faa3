import argparse

import torch
import torch.nn.functional as F

from ae.data import corrupt, load
from ae.model import DenoisingAE


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=25)
    p.add_argument("--batch", type=int, default=64)
    p.add_argument("--lr", type=float, default=2e-3)
    args = p.parse_args()
    torch.manual_seed(1)
    train, val = load()
    val_noisy = corrupt(val)
    model = DenoisingAE()
    opt = torch.optim.Adam(model.parameters(), lr=args.lr)
    for epoch in range(args.epochs):
        model.train()
        total = 0.0
        for idx in torch.randperm(len(train)).split(args.batch):
            clean = train[idx]
            loss = F.mse_loss(model(corrupt(clean)), clean)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(idx)
        model.eval()
        with torch.no_grad():
            v = F.mse_loss(model(val_noisy), val).item()
        print(f"epoch {epoch:02d} train {total / len(train):.5f} val {v:.5f}")


if __name__ == "__main__":
    main()
