import argparse
import pathlib

import numpy as np
import torch
from torch import nn

from tagger.model import CommandModel
from tagger.utils import commands, freeze, trainable


def accuracy(model, ids, y):
    model.eval()
    with torch.no_grad():
        return (model(ids).argmax(1) == y).float().mean().item()


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=16)
    p.add_argument("--batch", type=int, default=50)
    p.add_argument("--lr", type=float, default=4e-3)
    p.add_argument("--freeze", nargs="*", default=["emb"], help="parts that keep their pre-trained values")
    args = p.parse_args()

    torch.manual_seed(26)
    gen = torch.Generator().manual_seed(26)
    ids, y = commands(2500, 9, gen)
    test_ids, test_y = commands(600, 9, gen)
    vectors = torch.from_numpy(np.load(pathlib.Path(__file__).with_name("vectors.npy")))
    model = CommandModel(vectors)
    print("frozen values:", freeze(model, args.freeze))
    opt = torch.optim.Adam(trainable(model), lr=args.lr)
    for epoch in range(args.epochs):
        model.train()
        total = 0.0
        for idx in torch.randperm(len(ids)).split(args.batch):
            loss = nn.functional.cross_entropy(model(ids[idx]), y[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(idx)
        print(f"epoch {epoch:2d} loss {total / len(ids):.4f} test acc {accuracy(model, test_ids, test_y):.4f}", flush=True)


if __name__ == "__main__":
    main()
