"""Pre-train on digits 0-5, then adapt to digits 6-9: frozen stem, slow middle, new head."""
import tempfile
from pathlib import Path

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split


class Net(nn.Module):
    def __init__(self, n_classes):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(1, 16, 3, padding=1), nn.ReLU())
        self.middle = nn.Sequential(nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten())
        self.head = nn.Sequential(nn.Dropout(0.2), nn.Linear(32 * 16, n_classes))

    def forward(self, x):
        return self.head(self.middle(self.stem(x)))


def accuracy(net, x, y):
    net.eval()
    with torch.no_grad():
        out = (net(x).argmax(1) == y).float().mean().item()
    net.train()
    return out


def loop(net, opt, x, y, xv, yv, epochs, tag):
    for ep in range(epochs):
        tot = 0.0
        for idx in torch.randperm(len(x)).split(32):
            loss = F.cross_entropy(net(x[idx]), y[idx], label_smoothing=0.1)
            opt.zero_grad()
            loss.backward()
            opt.step()
            tot += loss.item() * len(idx)
        print(f"{tag} {ep}: loss {tot / len(x):.4f} val acc {accuracy(net, xv, yv):.3f}")


def main():
    torch.manual_seed(29)
    d = load_digits()
    x = torch.tensor(d.images / 16.0, dtype=torch.float32)[:, None]
    y = torch.tensor(d.target)
    old, new = (y < 6).nonzero().squeeze(1), (y >= 6).nonzero().squeeze(1)
    a, av = (torch.as_tensor(s) for s in train_test_split(old.numpy(), test_size=0.25, random_state=0))
    b, bv = (torch.as_tensor(s) for s in train_test_split(new.numpy(), test_size=0.4, random_state=0))

    net = Net(6)
    loop(net, torch.optim.AdamW(net.parameters(), lr=2e-3), x[a], y[a], x[av], y[av], 5, "pretrain")

    with tempfile.TemporaryDirectory() as tmp:
        path = Path(tmp) / "base.pt"
        torch.save(net.state_dict(), path)
        state = torch.load(path, weights_only=True)

    net = Net(4)
    state = {k: v for k, v in state.items() if not k.startswith("head.")}
    missing, unexpected = net.load_state_dict(state, strict=False)
    assert not unexpected and all(k.startswith("head.") for k in missing)
    net.stem.requires_grad_(False)
    opt = torch.optim.AdamW([
        {"params": net.middle.parameters(), "lr": 5e-5},
        {"params": net.head.parameters(), "lr": 2e-3},
    ])
    loop(net, opt, x[b], y[b] - 6, x[bv], y[bv] - 6, 12, "adapt")


if __name__ == "__main__":
    main()
