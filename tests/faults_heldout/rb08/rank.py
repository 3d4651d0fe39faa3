"""Listwise ranker: softmax cross-entropy between graded judgements and scores of one result list."""
import json
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn as nn


@dataclass(frozen=True)
class Config:
    path: str = "judged_queries.json"
    train_queries: int = 480
    epochs: int = 45
    queries_per_batch: int = 16
    lr: float = 3e-3
    weight_decay: float = 1e-3
    width: int = 32
    top: int = 5
    seed: int = 40


def to_arrays(query):
    docs = np.array(query["docs"], dtype=np.float32)
    docs[:, 1:3] = np.log1p(docs[:, 1:3])
    docs[:, 4] = np.log(docs[:, 4] + 1e-3)
    intent = np.full((len(docs), 1), query["intent"], dtype=np.float32)
    return np.hstack([docs, intent]), np.array(query["grades"], dtype=np.float32)


def collate(queries):
    longest = max(len(g) for _, g in queries)
    dim = queries[0][0].shape[1]
    x = torch.zeros(len(queries), longest, dim)
    grades = torch.zeros(len(queries), longest)
    real = torch.zeros(len(queries), longest, dtype=torch.bool)
    for i, (docs, g) in enumerate(queries):
        x[i, : len(g)] = torch.from_numpy(docs)
        grades[i, : len(g)] = torch.from_numpy(g)
        real[i, : len(g)] = True
    return x, grades, real


def listwise_loss(scores, grades, real):
    logp = scores.masked_fill(~real, float("-inf")).log_softmax(1)
    gain = (2.0**grades - 1) * real
    target = gain / gain.sum(1, keepdim=True).clamp_min(1e-6)
    return -(target * logp.masked_fill(~real, 0.0)).sum(1).mean()


def ndcg(scores, grades, real, k):
    scores = scores.masked_fill(~real, float("-inf"))
    discount = 1 / torch.log2(torch.arange(k) + 2.0)
    gain = (2.0**grades - 1) * real
    got = (gain.gather(1, scores.argsort(1, descending=True)[:, :k]) * discount).sum(1)
    ideal = (gain.sort(1, descending=True).values[:, :k] * discount).sum(1)
    return (got / ideal.clamp_min(1e-6))[ideal > 0].mean().item()


def main(cfg=Config()):
    torch.manual_seed(cfg.seed)
    rng = np.random.default_rng(cfg.seed)
    with open(cfg.path) as fh:
        queries = [to_arrays(q) for q in json.load(fh)]
    queries = [q for q in queries if q[1].max() > 0]
    stacked = np.concatenate([d for d, _ in queries[: cfg.train_queries]])
    mu, sd = stacked.mean(0), stacked.std(0)
    queries = [((d - mu) / sd, g) for d, g in queries]
    train, held = queries[: cfg.train_queries], queries[cfg.train_queries :]

    scorer = nn.Sequential(
        nn.Linear(len(mu), cfg.width), nn.SiLU(), nn.Linear(cfg.width, cfg.width), nn.SiLU(), nn.Linear(cfg.width, 1)
    )
    opt = torch.optim.AdamW(scorer.parameters(), lr=cfg.lr, weight_decay=cfg.weight_decay)
    sched = torch.optim.lr_scheduler.LinearLR(opt, 1.0, 0.02, total_iters=cfg.epochs)

    held_batch = collate(held)
    print(f"random order: ndcg {ndcg(torch.rand(held_batch[1].shape), *held_batch[1:], cfg.top):.3f}")

    def check(batch):
        x, grades, real = batch
        scorer.eval()
        with torch.no_grad():
            s = scorer(x).squeeze(-1)
        return listwise_loss(s, grades, real).item(), ndcg(s, grades, real, cfg.top)

    for epoch in range(cfg.epochs):
        scorer.train()
        order = rng.permutation(len(train))
        losses = []
        for start in range(0, len(order), cfg.queries_per_batch):
            x, grades, real = collate([train[i] for i in order[start : start + cfg.queries_per_batch]])
            loss = listwise_loss(scorer(x).squeeze(-1), grades, real)
            opt.zero_grad()
            loss.backward()
            opt.step()
            losses.append(loss.item())
        sched.step()
        l, n = check(held_batch)
        print(f"epoch {epoch:2d} train {np.mean(losses):.4f} held-out {l:.4f} ndcg@{cfg.top} {n:.4f}")
    print("train: loss %.4f ndcg %.4f" % check(collate(train)))


if __name__ == "__main__":
    main()
