"""Subscription churn from categorical account attributes."""
import numpy as np
import torch
import torch.nn as nn

CARDS = [12, 30, 8, 50, 20]        # plan, region, device, dealer, campaign
N, N_TRAIN = 6000, 4800


def simulate(seed=17):
    g = np.random.default_rng(seed)
    cats = np.stack([g.integers(0, c, N) for c in CARDS], 1)
    u = [g.normal(0, 1.0, (c, 3)) for c in CARDS]
    z = [u[j][cats[:, j]] for j in range(len(CARDS))]
    score = (z[0] * z[1]).sum(1) + 1.5 * z[2][:, 0] + 1.2 * z[3][:, 1] * z[4][:, 1] + z[4][:, 0]
    y = (score + g.logistic(0, 0.4, N) > 0).astype("float32")
    return torch.tensor(cats), torch.tensor(y)


class TabularNet(nn.Module):
    def __init__(self, cards, dim, hidden):
        super().__init__()
        self.embeddings = [nn.Embedding(c, dim) for c in cards]
        self.mlp = nn.Sequential(
            nn.Linear(dim * len(cards), hidden),
            nn.ReLU(),
            nn.Linear(hidden, 1),
        )

    def forward(self, cats):
        z = torch.cat([e(cats[:, j]) for j, e in enumerate(self.embeddings)], dim=-1)
        return self.mlp(z).squeeze(-1)


def main():
    torch.manual_seed(8)
    cats, y = simulate()
    model = TabularNet(CARDS, dim=3, hidden=24)
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3, weight_decay=2e-5)
    bce = nn.BCEWithLogitsLoss()
    for epoch in range(1, 13):
        model.train()
        tot = 0
        for idx in torch.randperm(N_TRAIN).split(64):
            loss = bce(model(cats[idx]), y[idx])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            tot += loss.item() * len(idx)
        model.eval()
        with torch.no_grad():
            logit = model(cats[N_TRAIN:])
            vloss = bce(logit, y[N_TRAIN:]).item()
            acc = ((logit > 0).float() == y[N_TRAIN:]).float().mean().item()
        print(f"epoch {epoch:2d}  train {tot / N_TRAIN:.4f}  val {vloss:.4f}  acc {acc:.3f}")


if __name__ == "__main__":
    main()
