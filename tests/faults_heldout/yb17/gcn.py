"""Topic prediction for papers in a citation graph with a two-layer graph convolution."""
import argparse

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn


def citation_graph(n=1200, topics=6, words=150, seed=0):
    rng = np.random.default_rng(seed)
    topic = rng.integers(0, topics, n)
    profile = rng.dirichlet(np.full(words, 0.25), topics)
    common = rng.dirichlet(np.full(words, 2.0))
    x = np.stack([rng.multinomial(18, 0.35 * profile[t] + 0.65 * common) for t in topic]).astype(np.float32)
    x = np.minimum(x, 1)
    src, dst = [], []
    by_topic = [np.flatnonzero(topic == t) for t in range(topics)]
    for i in range(n):
        for _ in range(rng.integers(1, 5)):
            pool = by_topic[topic[i]] if rng.random() < 0.78 else np.arange(n)
            j = int(rng.choice(pool))
            if j != i:
                src.append(i)
                dst.append(j)
    return x, topic, np.array([src, dst])


def normalized_adjacency(edges, n):
    i = torch.as_tensor(np.concatenate([edges, edges[::-1], np.stack([np.arange(n)] * 2)], axis=1))
    a = torch.sparse_coo_tensor(i, torch.ones(i.shape[1]), (n, n)).coalesce()
    idx = a.indices()
    val = torch.ones(idx.shape[1])
    deg = torch.zeros(n).index_add_(0, idx[0], val)
    val = deg[idx[0]].rsqrt() * deg[idx[1]].rsqrt()
    return torch.sparse_coo_tensor(idx, val, (n, n)).coalesce()


class GCN(nn.Module):
    def __init__(self, n_in, hidden, n_out, dropout):
        super().__init__()
        self.lin1 = nn.Linear(n_in, hidden)
        self.lin2 = nn.Linear(hidden, n_out)
        self.dropout = dropout

    def forward(self, x, adj):
        x = F.dropout(x, self.dropout, self.training)
        h = F.relu(torch.sparse.mm(adj, self.lin1(x)))
        h = F.dropout(h, self.dropout, self.training)
        return torch.sparse.mm(adj, self.lin2(h))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--hidden", type=int, default=16)
    ap.add_argument("--dropout", type=float, default=0.4)
    ap.add_argument("--lr", type=float, default=0.01)
    ap.add_argument("--weight-decay", type=float, default=5e-4)
    ap.add_argument("--epochs", type=int, default=200)
    ap.add_argument("--seed", type=int, default=6)
    args = ap.parse_args()

    torch.manual_seed(args.seed)
    x_np, y_np, edges = citation_graph(seed=args.seed)
    n = len(y_np)
    x = torch.from_numpy(x_np)
    x = x / x.sum(1, keepdim=True).clamp(min=1)
    x = (x - x.mean(0)) / (x.std(0) + 1e-6)
    y = torch.from_numpy(y_np).long()
    adj = normalized_adjacency(edges, n)

    perm = torch.randperm(n)
    train, val, test = perm[:400], perm[400:700], perm[700:]
    model = GCN(x.shape[1], args.hidden, int(y.max()) + 1, args.dropout)
    opt = torch.optim.Adam(model.parameters(), lr=args.lr, weight_decay=args.weight_decay)
    print(f"{n} papers, {edges.shape[1]} citations, {sum(p.numel() for p in model.parameters())} parameters")

    best_val, best_test = 0.0, 0.0
    for epoch in range(1, args.epochs + 1):
        model.train()
        opt.zero_grad()
        out = model(x, adj)
        loss = F.cross_entropy(out[train], y[train])
        loss.backward()
        opt.step()

        model.eval()
        with torch.no_grad():
            out = model(x, adj)
            acc = [(out[s].argmax(1) == y[s]).float().mean().item() for s in (train, val, test)]
            val_loss = F.cross_entropy(out[val], y[val]).item()
        if acc[1] >= best_val:
            best_val, best_test = acc[1], acc[2]
        if epoch % 20 == 0:
            print(f"epoch {epoch:3d}  loss {loss.item():.3f}  val loss {val_loss:.3f}  acc train {acc[0]:.3f} val {acc[1]:.3f}")
    print(f"best val {best_val:.3f}, test {best_test:.3f}")


if __name__ == "__main__":
    main()
