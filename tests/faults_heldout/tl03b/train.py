"""Tags shop-floor event streams: for every event, the operation order it belongs to."""
import argparse
import tomllib

import numpy as np
import torch
import torch.nn.functional as F

from optimiser import Adam, set_rate
from simulate import N_CODES, N_TAGS, streams
from transformer import SequenceTagger


def accuracy(net, codes, tags):
    net.eval()
    with torch.no_grad():
        hit = (net(codes).argmax(-1) == tags).float().mean().item()
    net.train()
    return hit


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--config", default="tagger.toml")
    with open(ap.parse_args().config, "rb") as fh:
        cfg = tomllib.load(fh)
    run, size = cfg["run"], cfg["size"]
    torch.manual_seed(run["seed"])

    train_x, train_y = streams(run["n_train"], run["length"], seed=101)
    test_x, test_y = streams(500, run["length"], seed=202)
    train_x, train_y, test_x, test_y = map(torch.from_numpy, (train_x, train_y, test_x, test_y))
    common = np.bincount(test_y.numpy().ravel()).max() / test_y.numel()

    net = SequenceTagger(N_CODES, run["length"], N_TAGS, size["width"], size["heads"], size["depth"])
    opt = Adam(net.parameters(), lr=run["peak_lr"], decay=run["decay"])
    rng = np.random.default_rng(run["seed"])
    order, at, seen = rng.permutation(len(train_x)), 0, []
    for step in range(run["steps"]):
        if at + run["batch"] > len(order):
            order, at = rng.permutation(len(train_x)), 0
        take = torch.from_numpy(order[at:at + run["batch"]])
        at += run["batch"]
        lr = set_rate(opt, run["peak_lr"], step, run["warmup"], run["steps"])
        loss = F.cross_entropy(net(train_x[take]).flatten(0, 1), train_y[take].flatten())
        opt.zero_grad()
        loss.backward()
        opt.step()
        seen.append(loss.item())
        if (step + 1) % 25 == 0:
            print(f"step {step + 1:4d}  lr {lr:.2e}  loss {np.mean(seen[-25:]):.4f}")
    print(f"train accuracy {accuracy(net, train_x[:500], train_y[:500]):.3f}")
    print(f"test accuracy  {accuracy(net, test_x, test_y):.3f}   (most common tag: {common:.3f})")


if __name__ == "__main__":
    main()
