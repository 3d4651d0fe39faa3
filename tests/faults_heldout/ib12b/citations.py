import json

import numpy as np
import torch
from torch import nn


class GraphData:
    def __init__(self, path):
        z = np.load(path)
        n = len(z["field"])
        src, dst = torch.from_numpy(z["edges"].astype(np.int64))
        src, dst = torch.cat([src, dst, torch.arange(n)]), torch.cat([dst, src, torch.arange(n)])
        deg = torch.bincount(dst, minlength=n).float()
        weight = (deg[src] * deg[dst]).rsqrt()
        self.adj = torch.sparse_coo_tensor(torch.stack([dst, src]), weight, (n, n), check_invariants=True).coalesce()
        words = torch.from_numpy(z["words"].astype(np.float32))
        self.x = words / words.sum(1, keepdim=True).clamp(min=1) * words.shape[1] ** 0.5
        self.y = torch.from_numpy(z["field"].astype(np.int64))
        role = torch.from_numpy(z["role"])
        self.masks = {name: role == i for i, name in enumerate(("train", "val", "test"))}


class GCN(nn.Module):
    def __init__(self, n_in, hidden, n_out, dropout):
        super().__init__()
        self.lin1 = nn.Linear(n_in, hidden)
        self.lin2 = nn.Linear(hidden, n_out)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, adj):
        h = torch.relu(torch.sparse.mm(adj, self.lin1(self.drop(x))))
        return torch.sparse.mm(adj, self.lin2(self.drop(h)))


class Experiment:
    def __init__(self, conf):
        torch.manual_seed(conf["seed"])
        self.conf = conf
        self.graph = GraphData(conf["graph"])
        self.model = GCN(self.graph.x.shape[1], conf["hidden"], int(self.graph.y.max()) + 1, conf["dropout"])
        kind = getattr(torch.optim, conf["optimizer"].pop("name"))
        self.optimizer = kind(self.model.parameters(), **conf["optimizer"])

    def train_step(self):
        self.model.train()
        m = self.graph.masks["train"]
        out = self.model(self.graph.x, self.graph.adj)
        loss = nn.functional.cross_entropy(out[m], self.graph.y[m])
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()

    @torch.no_grad()
    def report(self):
        self.model.eval()
        out = self.model(self.graph.x, self.graph.adj)
        scores = {}
        for part, m in self.graph.masks.items():
            scores[part] = (nn.functional.cross_entropy(out[m], self.graph.y[m]).item(),
                            (out[m].argmax(1) == self.graph.y[m]).float().mean().item())
        return scores

    def run(self):
        for epoch in range(1, self.conf["epochs"] + 1):
            loss = self.train_step()
            if epoch % 25 == 0:
                s = self.report()
                print(f"epoch {epoch:4d} loss {loss:.4f} | " +
                      " | ".join(f"{k} {a:.4f} / {b:.3f}" for k, (a, b) in s.items()))


if __name__ == "__main__":
    Experiment(json.load(open("experiment.json"))).run()
