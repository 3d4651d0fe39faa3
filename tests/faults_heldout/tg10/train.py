"""Few labels for digits 6-9 on top of an encoder that was trained on digits 0-5.

The ink probe only reports how well the hidden layer tells top-heavy from bottom-heavy digits; it must not shape it.
"""
import argparse

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch import nn

from encoder import Encoder


class Transfer(nn.Module):
    def __init__(self, weights):
        super().__init__()
        self.encoder = Encoder()
        self.encoder.load_state_dict(torch.load(weights, weights_only=True))
        self.encoder.requires_grad_(False)
        self.hidden = nn.Sequential(nn.Linear(512, 32), nn.ReLU(), nn.Dropout(0.2))
        self.classes = nn.Linear(32, 4)
        self.ink_probe = nn.Linear(32, 1)

    def train(self, mode=True):
        super().train(mode)
        self.encoder.eval()  # keep the running statistics of the source task
        return self

    def forward(self, x):
        h = self.hidden(self.encoder(x))
        return self.classes(h), self.ink_probe(h.detach()).squeeze(1)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--weights", default="encoder_digits0to5.pt")
    p.add_argument("--epochs", type=int, default=40)
    p.add_argument("--seed", type=int, default=8)
    a = p.parse_args()
    torch.manual_seed(a.seed)

    digits = load_digits()
    keep = digits.target >= 6
    x = torch.tensor(digits.images[keep] / 16.0, dtype=torch.float32).unsqueeze(1)
    y = torch.tensor(digits.target[keep] - 6)
    ink = x[:, 0, :4].mean((1, 2)) - x[:, 0, 4:].mean((1, 2))
    itr, ite = train_test_split(range(len(y)), train_size=240, stratify=y, random_state=a.seed)
    ink = (ink - ink[itr].mean()) / ink[itr].std()

    model = Transfer(a.weights)
    opt = torch.optim.Adam([q for q in model.parameters() if q.requires_grad], lr=2e-3, weight_decay=1e-4)
    itr = torch.tensor(itr)
    for epoch in range(1, a.epochs + 1):
        model.train()
        total = 0.0
        for idx in itr[torch.randperm(len(itr))].split(24):
            logits, probe = model(x[idx])
            loss = F.cross_entropy(logits, y[idx]) + F.mse_loss(probe, ink[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(idx)
        if epoch % 5 == 0:
            model.eval()
            with torch.no_grad():
                logits, probe = model(x[ite])
            acc = (logits.argmax(1) == y[ite]).float().mean().item()
            r2 = 1 - F.mse_loss(probe, ink[ite]).item() / ink[ite].var().item()
            print(f"epoch {epoch:2d} loss {total / len(itr):.4f} test acc {acc:.4f} ink probe R2 {r2:.3f}")


if __name__ == "__main__":
    main()
