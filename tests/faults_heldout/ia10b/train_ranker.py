import random

import torch
from torch import nn

from ranker.listings import Scaler, read_queries
from ranker.objective import ndcg, pairwise
from ranker.settings import read_settings


def evaluate(net, queries):
    net.eval()
    with torch.no_grad():
        pairs = [(net(x).squeeze(1), g) for x, g in queries]
    loss = sum(pairwise(s, g).item() for s, g in pairs) / len(pairs)
    return loss, sum(ndcg(s, g) for s, g in pairs) / len(pairs)


def main():
    st = read_settings("rank.yml")
    torch.manual_seed(st["seed"])
    rnd = random.Random(st["seed"])
    queries = read_queries(st["judgements"], Scaler(st["scaler"]))
    rnd.shuffle(queries)
    held, fit = queries[: st["valid_queries"]], queries[st["valid_queries"]:]

    d, h = fit[0][0].shape[1], st["hidden"]
    net = nn.Sequential(nn.Linear(d, h), nn.ReLU(), nn.Linear(h, h), nn.ReLU(), nn.Linear(h, 1))
    adam = torch.optim.Adam(net.parameters(), lr=st["learning_rate"], weight_decay=1e-4)
    print(f"{len(fit)} queries for training, {len(held)} held out, {d} features")

    for epoch in range(st["epochs"]):
        net.train()
        rnd.shuffle(fit)
        total = 0.0
        for k in range(0, len(fit), st["queries_per_step"]):
            group = fit[k:k + st["queries_per_step"]]
            loss = torch.stack([pairwise(net(x).squeeze(1), g) for x, g in group]).mean()
            adam.zero_grad()
            loss.backward()
            adam.step()
            total += loss.item() * len(group)
        vl, vn = evaluate(net, held)
        print(f"epoch {epoch + 1:2d}: pair loss {total / len(fit):.4f}, held out {vl:.4f}, ndcg@5 {vn:.4f}")


main()
