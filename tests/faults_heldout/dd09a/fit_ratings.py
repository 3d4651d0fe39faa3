# explicit-feedback recommender: biases + factor interaction + small MLP on top
import csv
import gzip
import math
import os
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

SEED = 99
FACTORS = 10
BATCH = 256
EPOCHS = 8
LR = 5e-3
DECAY = 1e-4

folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "movies")
random.seed(SEED)
torch.manual_seed(SEED)

with gzip.open(os.path.join(folder, "ratings.csv.gz"), "rt") as fh:
    table = [(int(r["user"]), int(r["movie"]), float(r["stars"])) for r in csv.DictReader(fh)]
users = torch.tensor([t[0] for t in table])
movies = torch.tensor([t[1] for t in table])
stars = torch.tensor([t[2] for t in table])


def rows_of(part):
    with open(os.path.join(folder, f"rows_{part}.txt")) as fh:
        return torch.tensor([int(line) for line in fh])


train_rows, valid_rows = rows_of("train"), rows_of("valid")
center = stars[train_rows].mean().item()
print(f"{len(table)} ratings, {len(train_rows)} train / {len(valid_rows)} valid, mean {center:.3f}")


class Recommender(nn.Module):
    def __init__(self, n_users, n_movies):
        super().__init__()
        self.user_factors = nn.Embedding(n_users, FACTORS)
        self.movie_factors = nn.Embedding(n_movies, FACTORS)
        self.user_bias = nn.Embedding(n_users, 1)
        self.movie_bias = nn.Embedding(n_movies, 1)
        self.mix = nn.Sequential(nn.Linear(3 * FACTORS, 32), nn.ReLU(), nn.Dropout(0.2), nn.Linear(32, 1))
        for table in (self.user_factors, self.movie_factors):
            nn.init.normal_(table.weight, std=0.1)
        nn.init.zeros_(self.user_bias.weight)
        nn.init.zeros_(self.movie_bias.weight)

    def forward(self, u, m):
        p, q = self.user_factors(u), self.movie_factors(m)
        linear = self.user_bias(u) + self.movie_bias(m) + (p * q).sum(-1, keepdim=True)
        return center + (linear + self.mix(torch.cat([p, q, p * q], -1))).squeeze(-1)


def rmse(model, rows):
    model.eval()
    with torch.no_grad():
        return math.sqrt(F.mse_loss(model(users[rows], movies[rows]), stars[rows]).item())


model = Recommender(int(users.max()) + 1, int(movies.max()) + 1)
optimizer = torch.optim.Adam(model.parameters(), lr=LR, weight_decay=DECAY)
baseline = (stars[valid_rows] - center).pow(2).mean().sqrt().item()
print(f"constant prediction: valid rmse {baseline:.4f}")

for epoch in range(1, EPOCHS + 1):
    model.train()
    running = 0.0
    for batch in train_rows[torch.randperm(len(train_rows))].split(BATCH):
        optimizer.zero_grad()
        loss = F.mse_loss(model(users[batch], movies[batch]), stars[batch])
        loss.backward()
        optimizer.step()
        running += loss.item() * len(batch)
    print(f"epoch {epoch:2d}: train mse {running / len(train_rows):.4f}, valid rmse {rmse(model, valid_rows):.4f}")
