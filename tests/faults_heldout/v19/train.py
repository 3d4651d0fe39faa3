"""Adapts the source model to the second scanner with a small step size."""
from pathlib import Path

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

from domains import load, target_scanner
from nets import DigitNet

LR, EPOCHS = 4e-5, 14


@torch.no_grad()
def evaluate(net, x, y):
    net.eval()
    out = net(x)
    return F.cross_entropy(out, y).item(), (out.argmax(1) == y).float().mean().item()


def main():
    torch.manual_seed(0)
    _, (x, y), (xv, yv) = load()
    x, xv = target_scanner(x, seed=1), target_scanner(xv, seed=2)
    net = DigitNet()
    net.load_state_dict(torch.load(Path(__file__).with_name("source.pt"), weights_only=True)["model"])
    print("before: loss %.4f acc %.4f" % evaluate(net, xv, yv))
    opt = torch.optim.AdamW(net.parameters(), lr=LR, weight_decay=0.01)
    loader = DataLoader(TensorDataset(x, y), batch_size=16, shuffle=True)
    for epoch in range(EPOCHS):
        net.train()
        total = 0.0
        for xb, yb in loader:
            loss = F.cross_entropy(net(xb), yb)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(yb)
        val = evaluate(net, xv, yv)
        print(f"epoch {epoch + 1}: train {total / len(y):.4f} val {val[0]:.4f} acc {val[1]:.4f}")


if __name__ == "__main__":
    main()
