"""Semi-supervised node classification on a stochastic block model (full batch)."""
import logging

import numpy as np
import torch
import torch.nn.functional as F

from gcn import GCN

log = logging.getLogger(__name__)


def make_graph(n=900, k=5, feats=40, seed=12):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, k, n)
    same = y[:, None] == y[None, :]
    a = np.triu(rng.random((n, n)) < np.where(same, 0.022, 0.006), 1)
    a = (a | a.T) + np.eye(n)
    d = 1 / np.sqrt(a.sum(1))
    adj = torch.tensor(d[:, None] * a * d[None, :], dtype=torch.float32).to_sparse()
    centers = rng.normal(size=(k, feats)) * 0.45
    x = torch.tensor(centers[y] + rng.normal(size=(n, feats)), dtype=torch.float32)
    perm = torch.from_numpy(rng.permutation(n))
    return x, adj, torch.from_numpy(y), perm[:200], perm[200:400], perm[400:]


def main():
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    torch.manual_seed(12)
    x, adj, y, tr, va, te = make_graph()
    model = GCN(x.size(1), 64, 5)
    opt = torch.optim.Adam(model.parameters(), lr=0.005, weight_decay=5e-4)
    best_val, best_test = 0.0, 0.0
    for epoch in range(1, 121):
        model.train()
        opt.zero_grad()
        loss = F.cross_entropy(model(x, adj)[tr], y[tr])
        loss.backward()
        opt.step()
        model.eval()
        with torch.no_grad():
            hit = model(x, adj).argmax(1) == y
        val, test = hit[va].float().mean().item(), hit[te].float().mean().item()
        if val > best_val:
            best_val, best_test = val, test
        if epoch % 20 == 0:
            log.info("epoch %d loss %.4f val %.3f | best val %.3f -> test %.3f", epoch, loss.item(), val, best_val, best_test)


if __name__ == "__main__":
    main()
