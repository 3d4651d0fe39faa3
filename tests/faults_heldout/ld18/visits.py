"""Scores a patient's list of visits (2 to 40 of them, three measurements each) with attention pooling."""
import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class VisitEncoder(nn.Module):
    def __init__(self, n_in=3, dim=32, heads=2):
        super().__init__()
        self.embed = nn.Sequential(nn.Linear(n_in, dim), nn.ReLU(), nn.Linear(dim, dim))
        self.query = nn.Parameter(torch.randn(1, 1, dim) * 0.2)
        self.attn = nn.MultiheadAttention(dim, heads, batch_first=True)
        self.head = nn.Linear(dim, 1)

    def forward(self, events, padding=None):
        h = self.embed(events)
        q = self.query.expand(len(h), -1, -1)
        pooled, _ = self.attn(q, h, h, key_padding_mask=padding, need_weights=False)
        return self.head(pooled[:, 0]).squeeze(-1)


def load(path):
    z = np.load(path)
    events = torch.from_numpy(z["events"].astype(np.float32) / 1000)
    count = torch.from_numpy(z["count"].astype(np.int64))
    score = torch.from_numpy(z["score"])
    padding = torch.arange(events.shape[1])[None] >= count[:, None]
    score = (score - score[:1900].mean()) / score[:1900].std()
    return TensorDataset(events[:1900], padding[:1900], score[:1900]), TensorDataset(events[1900:], padding[1900:], score[1900:])


def main():
    torch.manual_seed(10)
    train, test = load("visits.npz")
    model = VisitEncoder()
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, 25)
    mse = nn.MSELoss()
    for epoch in range(25):
        model.train()
        total = 0.0
        for events, padding, score in DataLoader(train, 50, shuffle=True):
            opt.zero_grad()
            loss = mse(model(events), score)
            loss.backward()
            opt.step()
            total += loss.item() * len(score)
        sched.step()
        model.eval()
        with torch.no_grad():
            err = sum(((model(events) - score) ** 2).sum().item() for events, padding, score in DataLoader(test, 250))
        print(f"epoch {epoch + 1:2d}  train mse {total / len(train):.4f}  test mse {err / len(test):.4f}")


if __name__ == "__main__":
    main()
