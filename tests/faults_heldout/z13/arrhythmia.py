"""Beat classification from short single-lead traces: normal, early beat, wide beat."""
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

CLASSES = ("normal", "early", "wide")


def bump(t, centre, width):
    return np.exp(-0.5 * ((t - centre) / width) ** 2)


def beats(n, rng, shares=(0.93, 0.045, 0.025), length=96):
    t = np.arange(length)
    y = rng.choice(3, n, p=shares)
    x = np.zeros((n, 1, length), "float32")
    for k in range(n):
        centre = rng.normal(48, 3) - (9 if y[k] == 1 else 0)
        width = rng.normal(2.5, 0.4) * (1.5 if y[k] == 2 else 1.0)
        trace = bump(t, centre, max(width, 1)) - 0.25 * bump(t, centre + 5, 3) + 0.3 * bump(t, 72 + rng.normal() * 2, 6)
        x[k, 0] = trace * rng.uniform(0.8, 1.2) + rng.normal(size=length) * 0.22
    return torch.from_numpy(x), torch.from_numpy(y)


def balanced_weights(labels, n_classes):
    """Per-class loss weights, averaging one over the classes."""
    freq = torch.bincount(labels, minlength=n_classes).float() / len(labels)
    return freq * n_classes / freq.sum()


class BeatNet(nn.Sequential):
    def __init__(self, width=16):
        super().__init__(
            nn.Conv1d(1, width, 7, padding=3), nn.ReLU(), nn.MaxPool1d(2),
            nn.Conv1d(width, width, 5, padding=2), nn.ReLU(), nn.MaxPool1d(2),
            nn.Conv1d(width, width, 5, padding=2), nn.ReLU(), nn.AdaptiveAvgPool1d(8),
            nn.Flatten(), nn.Linear(8 * width, len(CLASSES)),
        )


@torch.no_grad()
def report(model, x, y):
    pred = model(x).argmax(1)
    recall = [(pred[y == c] == c).float().mean().item() for c in range(len(CLASSES))]
    return (pred == y).float().mean().item(), recall


def main():
    torch.manual_seed(19)
    rng = np.random.default_rng(19)
    x, y = beats(3000, rng)
    xv, yv = beats(2000, rng)
    model = BeatNet()
    weight = balanced_weights(y, len(CLASSES))
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    for epoch in range(8):
        total = 0.0
        for i in torch.randperm(len(x)).split(64):
            loss = F.cross_entropy(model(x[i]), y[i], weight=weight)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item()
        acc, rec = report(model, xv, yv)
        print(f"epoch {epoch}  loss {total / (len(x) / 64):.4f}  acc {acc:.3f}  balanced {np.mean(rec):.3f}  "
              + "  ".join(f"{n} {r:.2f}" for n, r in zip(CLASSES, rec)))


if __name__ == "__main__":
    main()
