import argparse
import csv
import re

import torch
import yaml
from torch import nn


class BiasedMF(nn.Module):
    """rating = mu + b_reader + b_book + <reader, book>"""

    def __init__(self, n_readers, n_books, dim, mean):
        super().__init__()
        self.reader_factor = nn.Embedding(n_readers, dim)
        self.book_factor = nn.Embedding(n_books, dim)
        self.reader_bias = nn.Embedding(n_readers, 1)
        self.book_bias = nn.Embedding(n_books, 1)
        self.register_buffer("mu", torch.tensor(mean))
        for emb in (self.reader_factor, self.book_factor):
            nn.init.normal_(emb.weight, std=0.1)
        for emb in (self.reader_bias, self.book_bias):
            nn.init.zeros_(emb.weight)

    def forward(self, reader, book):
        inter = (self.reader_factor(reader) * self.book_factor(book)).sum(-1)
        return self.mu + self.reader_bias(reader).squeeze(-1) + self.book_bias(book).squeeze(-1) + inter


def read_ratings(path):
    with open(path) as fh:
        rows = list(csv.DictReader(fh, delimiter="\t"))
    reader = torch.tensor([int(r["reader"]) for r in rows])
    book = torch.tensor([int(r["book"]) for r in rows])
    stars = torch.tensor([float(r["stars"]) for r in rows])
    return reader, book, stars


def parameter_groups(model, specs):
    groups = []
    for spec in specs:
        pattern = re.compile(spec["match"])
        params = [p for name, p in model.named_parameters() if pattern.search(name)]
        options = {k: v for k, v in spec.items() if k != "match"}
        groups.append({"params": params, **options})
    return groups


def rmse(model, reader, book, stars, idx):
    with torch.no_grad():
        err = model(reader[idx], book[idx]).clamp(0.5, 5.0) - stars[idx]
    return err.pow(2).mean().sqrt().item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--config", default="conf/mf.yaml")
    cfg = yaml.safe_load(open(ap.parse_args().config))

    gen = torch.Generator().manual_seed(cfg["seed"])
    torch.manual_seed(cfg["seed"])
    reader, book, stars = read_ratings(cfg["ratings"])
    order = torch.randperm(len(stars), generator=gen)
    n_test = int(cfg["holdout"] * len(stars))
    test, train = order[:n_test], order[n_test:]

    model = BiasedMF(int(reader.max()) + 1, int(book.max()) + 1, cfg["dim"], stars[train].mean().item())
    opt = torch.optim.AdamW(parameter_groups(model, cfg["optimizer"]["groups"]), lr=cfg["optimizer"]["lr"])
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, cfg["epochs"])

    for epoch in range(1, cfg["epochs"] + 1):
        perm = train[torch.randperm(len(train), generator=gen)]
        running = 0.0
        for chunk in perm.split(cfg["batch"]):
            loss = (model(reader[chunk], book[chunk]) - stars[chunk]).pow(2).mean()
            opt.zero_grad(set_to_none=True)
            loss.backward()
            opt.step()
            running += loss.item() * len(chunk)
        sched.step()
        if epoch % 4 == 0:
            print(f"[{epoch:02d}] train mse {running / len(train):.4f}  test rmse {rmse(model, reader, book, stars, test):.4f}")


if __name__ == "__main__":
    main()
