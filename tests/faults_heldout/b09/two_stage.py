"""Stage 1: pretext task (is the digit >= 5?).  Stage 2: linear probe, then the whole network, on the 10 classes."""
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits


class Encoder(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.c1 = nn.Conv2d(1, width, 3, padding=1)
        self.c2 = nn.Conv2d(width, width, 3, padding=1, stride=2)
        self.fc = nn.Linear(width * 16, 12)

    def forward(self, x):
        x = F.relu(self.c1(x))
        x = F.relu(self.c2(x))
        return torch.tanh(self.fc(x.flatten(1)))


class Classifier(nn.Module):
    def __init__(self, encoder, n_out):
        super().__init__()
        self.encoder = encoder
        self.head = nn.Linear(12, n_out)

    def forward(self, x):
        return self.head(self.encoder(x))


def batches(n, size):
    return torch.randperm(n).split(size)


def accuracy(model, x, y):
    model.eval()
    with torch.no_grad():
        return (model(x).argmax(1) == y).float().mean().item()


def run_epochs(tag, model, opt, x, y, xv, yv, epochs):
    for ep in range(1, epochs + 1):
        model.train()
        total = 0.0
        for idx in batches(len(x), 32):
            loss = F.cross_entropy(model(x[idx]), y[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(idx)
        print(f"{tag} {ep:02d}  loss {total / len(x):.4f}  val acc {accuracy(model, xv, yv):.4f}")


def main():
    torch.manual_seed(23)
    d = load_digits()
    order = np.random.RandomState(23).permutation(len(d.target))
    x = torch.tensor(d.images[order], dtype=torch.float32).unsqueeze(1) / 16 - 0.3
    y = torch.tensor(d.target[order])
    x, xv, y, yv = x[:1300], x[1300:], y[:1300], y[1300:]

    # stage 1: pretext labels
    pre = Classifier(Encoder(), 2)
    run_epochs("pretext ", pre, torch.optim.Adam(pre.parameters(), lr=1e-3), x, (y >= 5).long(), xv, (yv >= 5).long(), 3)

    # stage 2a: only the new head, so that its random weights do not wreck the encoder
    model = Classifier(pre.encoder, 10)
    model.encoder.requires_grad_(False)
    run_epochs("probe   ", model, torch.optim.Adam(model.head.parameters(), lr=1e-2), x, y, xv, yv, 2)

    # stage 2b: everything, encoder with the smaller rate
    model.encoder.requires_grad = True
    opt = torch.optim.Adam([{"params": model.encoder.parameters(), "lr": 1e-3},
                            {"params": model.head.parameters(), "lr": 3e-3}])
    run_epochs("finetune", model, opt, x, y, xv, yv, 10)


if __name__ == "__main__":
    main()
