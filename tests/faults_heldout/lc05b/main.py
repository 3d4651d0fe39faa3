from pathlib import Path

import torch
import torch.nn.functional as F

from gnn.env import read_env
from gnn.graph import CitationGraph
from gnn.layers import GCN

root = Path(__file__).resolve().parent


def accuracy(logits, y, idx):
    return (logits[idx].argmax(1) == y[idx]).float().mean().item()


def run():
    s = read_env(root / "settings.env")
    torch.manual_seed(s.seed)
    g = CitationGraph(root / s.graph_file, s.seed)
    classes = int(g.y.max()) + 1
    net = GCN(g.x.shape[1], s.hidden, classes, s.dropout)
    optim = torch.optim.Adam(net.parameters(), lr=s.lr, betas=s.betas, eps=s.eps, weight_decay=s.weight_decay)
    print(f"{g.n} papers, {classes} topics, {g.adj.values().numel()} links")
    for it in range(1, s.iterations + 1):
        net.train()
        optim.zero_grad()
        loss = F.cross_entropy(net(g.x, g.adj)[g.train], g.y[g.train])
        loss.backward()
        optim.step()
        if it % 10 == 0:
            net.eval()
            with torch.no_grad():
                out = net(g.x, g.adj)
                val = F.cross_entropy(out[g.valid], g.y[g.valid]).item()
            print(f"iter {it:4d}  loss {loss.item():.4f}  val loss {val:.4f}  val acc {accuracy(out, g.y, g.valid):.3f}")
    print("test accuracy %.3f" % accuracy(out, g.y, g.test))


if __name__ == "__main__":
    run()
