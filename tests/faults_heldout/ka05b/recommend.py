"""Matrix factorisation for the book club ratings."""
import argparse
import copy

import numpy as np
import torch
import torch.nn as nn


class Factors(nn.Module):
    def __init__(self, n_users, n_items, dim, mean):
        super().__init__()
        self.user = nn.Embedding(n_users, dim)
        self.item = nn.Embedding(n_items, dim)
        self.user_bias = nn.Embedding(n_users, 1)
        self.item_bias = nn.Embedding(n_items, 1)
        self.register_buffer("mean", torch.tensor(mean))
        for e in (self.user, self.item):
            nn.init.normal_(e.weight, std=0.1)
        for e in (self.user_bias, self.item_bias):
            nn.init.zeros_(e.weight)

    def forward(self, u, i):
        dot = (self.user(u) * self.item(i)).sum(-1)
        return dot + self.user_bias(u).squeeze(-1) + self.item_bias(i).squeeze(-1) + self.mean


def load(path):
    t = np.loadtxt(path, delimiter=",", skiprows=1)
    return torch.tensor(t[:, 0]).long(), torch.tensor(t[:, 1]).long(), torch.tensor(t[:, 2]).float()


def rmse(model, data):
    model.eval()
    with torch.no_grad():
        return ((model(data[0], data[1]) - data[2]) ** 2).mean().sqrt().item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--train", default="ratings_train.csv")
    ap.add_argument("--valid", default="ratings_valid.csv")
    ap.add_argument("--dim", type=int, default=8)
    ap.add_argument("--lr", type=float, default=0.005)
    ap.add_argument("--decay", type=float, default=1e-4)
    ap.add_argument("--batch", type=int, default=128)
    ap.add_argument("--max-epochs", type=int, default=60)
    ap.add_argument("--patience", type=int, default=2)
    opt = ap.parse_args()

    torch.manual_seed(0)
    train, valid = load(opt.train), load(opt.valid)
    n_users = int(max(train[0].max(), valid[0].max())) + 1
    n_items = int(max(train[1].max(), valid[1].max())) + 1
    model = Factors(n_users, n_items, opt.dim, train[2].mean().item())
    optimizer = torch.optim.Adam(model.parameters(), lr=opt.lr, weight_decay=opt.decay)
    print(f"{n_users} readers, {n_items} books, {len(train[0])} ratings; spread {valid[2].std():.3f}")

    best, best_state, waited = float("inf"), None, 0
    for epoch in range(opt.max_epochs):
        model.train()
        order = torch.randperm(len(train[0]))
        total = 0.0
        for idx in order.split(opt.batch):
            pred = model(train[0][idx], train[1][idx])
            loss = nn.functional.mse_loss(pred, train[2][idx])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item() * len(idx)
        score = rmse(model, valid)
        print(f"epoch {epoch + 1}: train rmse {(total / len(order)) ** 0.5:.4f}, valid rmse {score:.4f}")
        if score < best - 1e-4:
            best, best_state, waited = score, copy.deepcopy(model.state_dict()), 0
        else:
            waited += 1
            if waited >= opt.patience:
                break
    model.load_state_dict(best_state)
    print(f"kept model with valid rmse {rmse(model, valid):.4f}")
    torch.save(model.state_dict(), "factors.pt")


if __name__ == "__main__":
    main()
