"""Nightly refresh of the rating model: start from the last one and fit the current table."""
import csv

import torch
from torch.nn import functional as F

from factors import Factors

SETTINGS = dict(lr=1e-2, batch=128, epochs=10, decay=1e-4)


def read_ratings(name):
    with open(name, newline="") as f:
        rows = [(int(r["reader"]), int(r["book"]), float(r["stars"])) for r in csv.DictReader(f)]
    reader, book, stars = zip(*rows)
    return torch.tensor(reader), torch.tensor(book), torch.tensor(stars)


def rmse(model, data):
    model.eval()
    with torch.no_grad():
        return F.mse_loss(model(data[0], data[1]), data[2]).sqrt().item()


def main():
    torch.manual_seed(31)
    train, recent = read_ratings("ratings.csv"), read_ratings("ratings_recent.csv")
    n_readers = int(train[0].max()) + 1

    last = torch.load("last_model.pt")
    weights = last["weights"]
    model = Factors(*last["shape"])
    model.load_state_dict(weights)
    optimizer = torch.optim.AdamW(model.parameters(), lr=SETTINGS["lr"], weight_decay=SETTINGS["decay"])
    if n_readers > model.readers.num_embeddings:
        model.grow(n_readers)

    print(f"{len(train[0])} ratings, {n_readers} readers, start rmse {rmse(model, recent):.4f}")
    for epoch in range(1, SETTINGS["epochs"] + 1):
        model.train()
        seen = 0.0
        for idx in torch.randperm(len(train[0])).split(SETTINGS["batch"]):
            optimizer.zero_grad()
            loss = F.mse_loss(model(train[0][idx], train[1][idx]), train[2][idx])
            loss.backward()
            optimizer.step()
            seen += loss.item() * len(idx)
        print(f"epoch {epoch}  train rmse {(seen / len(train[0])) ** 0.5:.4f}  recent rmse {rmse(model, recent):.4f}")


if __name__ == "__main__":
    main()
