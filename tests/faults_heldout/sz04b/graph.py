import pandas as pd
import torch


def load_graph(nodes, links):
    table = pd.read_csv(nodes)
    pairs = torch.tensor(pd.read_csv(links).to_numpy())
    edges = torch.cat([pairs, pairs.flip(1)]).t()
    features = table.drop(columns=["node", "laeq", "held_out"])
    x = torch.tensor(features.to_numpy(), dtype=torch.float32)
    y = torch.tensor(table["laeq"].to_numpy(), dtype=torch.float32)
    held_out = torch.tensor(table["held_out"].to_numpy(), dtype=torch.bool)
    return x, y, edges, held_out


def gather_neighbours(h, edges, how):
    source, target = edges
    total = torch.zeros_like(h).index_add(0, target, h[source])
    if how == "sum":
        return total
    degree = torch.bincount(target, minlength=len(h)).clamp(min=1)
    if how == "mean":
        return total / degree.unsqueeze(1)
    raise ValueError(f"unknown aggregation {how}")
