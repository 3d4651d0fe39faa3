import tomllib
from pathlib import Path

import torch

from gnn.graph import digit_graph
from gnn.model import GCN
from gnn.trainer import TransductiveTrainer

cfg = tomllib.loads((Path(__file__).parent / "config.toml").read_text())


def main():
    torch.manual_seed(cfg["graph"]["seed"])
    graph = digit_graph(**cfg["graph"])
    print(f"{len(graph[1])} nodes, {graph[0]._nnz()} edges, {len(graph[3])} labelled")

    model = GCN(graph[1].shape[1], 10, **cfg["model"])
    opt = torch.optim.Adam(model.parameters(), lr=cfg["train"]["lr"], weight_decay=cfg["train"]["weight_decay"])
    trainer = TransductiveTrainer(model, opt, graph, cfg["train"]["steps"], cfg["train"]["report_every"])
    print(f"best val_acc {trainer.run():.4f}")


if __name__ == "__main__":
    main()
