"""Matrix factorisation of star ratings. usage: books.py [rank] [epochs]"""
import sys
import numpy as np
import torch
from torch import nn

rank = int(sys.argv[1]) if len(sys.argv) > 1 else 8
epochs = int(sys.argv[2]) if len(sys.argv) > 2 else 30

torch.manual_seed(0)
data = np.loadtxt("ratings.csv", delimiter=",", skiprows=1)
users = torch.tensor(data[:, 0]).long()
books = torch.tensor(data[:, 1]).long()
stars = torch.tensor(data[:, 2]).float()
n_train = int(len(stars) * 0.85)


class Factors(nn.Module):
    def __init__(self, n_users, n_books, rank, mean):
        super().__init__()
        self.user_vec = nn.Embedding(n_users, rank)
        self.book_vec = nn.Embedding(n_books, rank)
        self.user_bias = nn.Embedding(n_users, 1)
        self.book_bias = nn.Embedding(n_books, 1)
        self.mean = nn.Parameter(torch.tensor(mean))
        # begin at the overall mean
        for table in (self.user_vec, self.book_vec, self.user_bias, self.book_bias):
            nn.init.zeros_(table.weight)

    def forward(self, u, b):
        dot = (self.user_vec(u) * self.book_vec(b)).sum(-1)
        return self.mean + self.user_bias(u).squeeze(-1) + self.book_bias(b).squeeze(-1) + dot


model = Factors(int(users.max()) + 1, int(books.max()) + 1, rank, stars[:n_train].mean().item())
opt = torch.optim.Adam(model.parameters(), lr=5e-3, weight_decay=2e-5)


def rmse(lo, hi):
    model.eval()
    with torch.no_grad():
        return (model(users[lo:hi], books[lo:hi]) - stars[lo:hi]).pow(2).mean().sqrt().item()


for epoch in range(1, epochs + 1):
    model.train()
    for idx in torch.randperm(n_train).split(128):
        loss = (model(users[idx], books[idx]) - stars[idx]).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    if epoch % 3 == 0:
        print(f"epoch {epoch}: rmse train {rmse(0, n_train):.3f} test {rmse(n_train, len(stars)):.3f}")
