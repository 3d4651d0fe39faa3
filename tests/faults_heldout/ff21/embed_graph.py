import argparse
import pathlib
import time

import torch

from kge.transe import TransE
from kge.triples import corrupt, read_triples


@torch.no_grad()
def mean_rank(model, triples, n_entities):
    model.eval()
    ranks = []
    for h, r, t in triples[:200].tolist():
        cand = torch.stack([torch.full((n_entities,), h), torch.full((n_entities,), r), torch.arange(n_entities)], 1)
        s = model.score(cand)
        ranks.append((s > s[t]).sum().item() + 1)
    ranks = torch.tensor(ranks, dtype=torch.float)
    return ranks.mean().item(), (ranks <= 10).float().mean().item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=12)
    ap.add_argument("--batch-size", type=int, default=128)
    ap.add_argument("--margin", type=float, default=1.0)
    ap.add_argument("--lr", type=float, default=0.01)
    a = ap.parse_args()
    torch.manual_seed(23)
    triples, n_ent, n_rel = read_triples(pathlib.Path(__file__).with_name("triples.txt"))
    train, test = triples[:4600], triples[4600:]
    model = TransE(n_ent, n_rel)
    opt = torch.optim.Adam(model.parameters(), lr=a.lr)
    print(f"{n_ent} entities, {n_rel} relations, {len(train)} training triples")
    for epoch in range(a.epochs):
        model.train()
        start, total = time.perf_counter(), 0.0
        for ix in torch.randperm(len(train)).split(a.batch_size):
            pos = train[ix]
            gap = model.score(pos) - model.score(corrupt(pos, n_ent))
            loss = torch.relu(a.margin - gap).mean()
            opt.zero_grad()
            loss.backward(retain_graph=True)
            opt.step()
            total += loss.item() * len(ix)
        took = time.perf_counter() - start
        rank, hits = mean_rank(model, test, n_ent)
        print(f"epoch {epoch:2d}  margin loss {total / len(train):.4f}  mean rank {rank:.1f}  hits@10 {hits:.3f}  ({took:.2f} s)")


main()
