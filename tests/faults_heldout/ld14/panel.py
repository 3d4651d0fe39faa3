"""Predicts how a tasting panel spreads its votes over five styles."""
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn


class VoteModel(nn.Module):
    def __init__(self, n_in, n_styles):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(n_in, 48), nn.GELU(), nn.Linear(48, 48), nn.GELU())
        self.head = nn.Linear(48, n_styles)

    def forward(self, x):
        return F.softmax(self.head(self.body(x)), dim=-1)


def divergence(pred, votes):
    return F.kl_div(pred, votes, reduction="batchmean")


def report(model, x, votes):
    model.eval()
    with torch.no_grad():
        pred = model(x)
    tv = 0.5 * (pred - votes).abs().sum(1).mean().item()
    top = (pred.argmax(1) == votes.argmax(1)).float().mean().item()
    return tv, top


def main():
    torch.manual_seed(14)
    data = np.load("panel.npz")
    x = torch.from_numpy(data["wine"])
    votes = torch.from_numpy(data["votes"].astype(np.float32))
    votes = votes / votes.sum(1, keepdim=True)
    x_train, x_val, v_train, v_val = x[:1200], x[1200:], votes[:1200], votes[1200:]

    model = VoteModel(x.shape[1], votes.shape[1])
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    for epoch in range(1, 31):
        model.train()
        running = 0.0
        for idx in torch.randperm(len(x_train)).split(32):
            optimizer.zero_grad()
            loss = divergence(model(x_train[idx]), v_train[idx])
            loss.backward()
            optimizer.step()
            running += loss.item() * len(idx)
        if epoch % 3 == 0:
            tv, top = report(model, x_val, v_val)
            print(f"{epoch:3d} loss {running / len(x_train):.4f} | share of votes misplaced {tv:.4f} | same favourite {top:.3f}")


if __name__ == "__main__":
    main()
