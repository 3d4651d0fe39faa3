import tomllib
from pathlib import Path

import torch

from kge.graph import Graph
from kge.transe import TransE

BASE = Path(__file__).resolve().parent


def metrics(model, triples, known):
    rank = model.ranks(triples, known)
    return (1 / rank).mean().item(), (rank <= 1).float().mean().item(), (rank <= 10).float().mean().item()


def main():
    cfg = tomllib.loads((BASE / "kge.toml").read_text())
    torch.manual_seed(cfg["seed"])
    graph = Graph(BASE / "kg")
    train = graph.split["train"]
    print(f"{graph.n_entities} entities, {graph.n_relations} relations, "
          + ", ".join(f"{k} {len(v)}" for k, v in graph.split.items()))
    model = TransE(graph.n_entities, graph.n_relations, cfg["dim"], cfg["norm"], cfg["sharpness"])
    opt = torch.optim.Adam(model.parameters(), lr=cfg["lr"])
    gamma = (cfg["final_lr"] / cfg["lr"]) ** (1 / cfg["epochs"])
    sched = torch.optim.lr_scheduler.ExponentialLR(opt, gamma)

    for epoch in range(1, cfg["epochs"] + 1):
        total = 0.0
        for idx in torch.randperm(len(train)).split(cfg["batch_size"]):
            loss = model.loss(train[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(idx)
        sched.step()
        if epoch % cfg["eval_every"] == 0:
            mrr, h1, h10 = metrics(model, graph.split["valid"], graph.known)
            print(f"epoch {epoch:3d}  loss {total / len(train):.4f}  valid MRR {mrr:.3f}  hits@1 {h1:.3f}  hits@10 {h10:.3f}")

    mrr, h1, h10 = metrics(model, graph.split["test"], graph.known)
    print(f"test  MRR {mrr:.3f}  hits@1 {h1:.3f}  hits@10 {h10:.3f}")


if __name__ == "__main__":
    main()
