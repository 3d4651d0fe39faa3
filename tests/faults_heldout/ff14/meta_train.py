import argparse
import pathlib

import numpy as np
import torch

from fewshot.episodes import EpisodeSampler
from fewshot.protonet import Embedder, episode_loss


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--way", type=int, default=10)
    p.add_argument("--shot", type=int, default=1)
    p.add_argument("--queries", type=int, default=4)
    p.add_argument("--epochs", type=int, default=100)
    p.add_argument("--episodes", type=int, default=4)
    p.add_argument("--lr", type=float, default=2e-3)
    return p.parse_args()


def main(a):
    torch.manual_seed(30)
    glyphs = torch.from_numpy(np.load(pathlib.Path(__file__).with_name("glyphs.npy"))).float()
    bank = ((glyphs - 85) / 45).unsqueeze(2)
    base, novel = bank[:60], bank[60:]
    train = EpisodeSampler(len(base), base.shape[1], a.way, a.shot, a.queries, a.episodes, seed=1)
    test = EpisodeSampler(len(novel), novel.shape[1], a.way, a.shot, a.queries, 40, seed=2)
    net = Embedder()
    opt = torch.optim.Adam(net.parameters(), lr=a.lr)
    for epoch in range(1, a.epochs + 1):
        net.train()
        tl = ta = 0.0
        for task in train:
            loss, acc = episode_loss(net, base, *task)
            opt.zero_grad()
            loss.backward()
            opt.step()
            tl += loss.item() / len(train)
            ta += acc.item() / len(train)
        if epoch % 10 == 0:
            net.eval()
            with torch.no_grad():
                res = [episode_loss(net, novel, *task) for task in test]
            print(f"epoch {epoch:3d}  train loss {tl:.4f} acc {ta:.3f}  novel classes: loss "
                  f"{sum(r[0].item() for r in res) / len(res):.4f} acc {sum(r[1].item() for r in res) / len(res):.3f}")


main(parse())
