import csv
import os
import tempfile

import torch


class History:
    """Per-epoch rows, written as csv at the end."""

    def __init__(self, name):
        self.path = os.path.join(tempfile.gettempdir(), f"{name}.csv")
        self.rows = []

    def add(self, **row):
        self.rows.append(row)

    def write(self):
        with open(self.path, "w", newline="") as fh:
            w = csv.DictWriter(fh, fieldnames=list(self.rows[0]))
            w.writeheader()
            w.writerows(self.rows)
        return self.path


@torch.no_grad()
def field_table(model, x, adj, y, idx):
    """Papers, precision and recall of each field over the given nodes."""
    model.eval()
    pred, true = model(x, adj).argmax(1)[idx], y[idx]
    for k in range(int(y.max()) + 1):
        hit = ((pred == k) & (true == k)).sum().item()
        said, there = (pred == k).sum().item(), (true == k).sum().item()
        yield k, there, hit / max(1, said), hit / max(1, there)


def graph_summary(adj, y):
    """Number of citations and the share that stays inside a field."""
    i, j = torch.triu(adj, 1).nonzero(as_tuple=True)
    return {"papers": len(y), "citations": len(i), "homophily": (y[i] == y[j]).float().mean().item()}
