import argparse
from pathlib import Path

import torch
import torch.nn.functional as F

from rec.data import read_clicks, seen_mask
from rec.model import Factorizer


def recall_at(scores, seen, test, k=10):
    ranked = scores.masked_fill(seen, -1e9).topk(k, dim=1).indices
    hit = (ranked[test[:, 0]] == test[:, 1:2]).any(1)
    return hit.float().mean().item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--dim", type=int, default=16)
    ap.add_argument("--lr-emb", type=float, default=4e-3)
    ap.add_argument("--lr-dense", type=float, default=1e-3)
    ap.add_argument("--batch", type=int, default=256)
    ap.add_argument("--epochs", type=int, default=15)
    ap.add_argument("--l2", type=float, default=0.02)
    ap.add_argument("--candidates", type=int, default=4)
    a = ap.parse_args()

    torch.manual_seed(17)
    train, test, n_users, n_items = read_clicks(Path(__file__).parent / "clicks.csv")
    seen = seen_mask(train, n_users, n_items)
    model = Factorizer(n_users, n_items, a.dim)
    opt_sparse = torch.optim.SparseAdam(model.embedding_parameters(), lr=a.lr_emb)
    opt_dense = torch.optim.AdamW(model.mix.parameters(), lr=a.lr_dense, weight_decay=1e-3)

    counts = seen.float().sum(0)
    print(f"recall@10 popularity {recall_at(counts.expand(n_users, -1), seen, test):.3f} "
          f"untrained {recall_at(model.all_scores(), seen, test):.3f}")
    for epoch in range(1, a.epochs + 1):
        total, n = 0.0, 0
        for idx in torch.randperm(len(train)).split(a.batch):
            u, pos = train[idx, 0], train[idx, 1]
            cand = torch.randint(0, n_items, (len(u), a.candidates))
            with torch.no_grad():
                s = model.score(u, cand).masked_fill(seen[u[:, None], cand], -1e9)
                hard = cand.gather(1, s.argmax(1, keepdim=True))
            pair = model.score(u, torch.cat([pos[:, None], hard], dim=1))
            ok = ~seen[u, hard[:, 0]]
            loss = F.softplus(pair[:, 1] - pair[:, 0])[ok].mean()
            loss = loss + a.l2 * model.norms(u, torch.cat([pos[:, None], hard], dim=1))
            opt_sparse.zero_grad()
            opt_dense.zero_grad()
            loss.backward()
            opt_sparse.step()
            opt_dense.step()
            total += loss.item() * len(u)
            n += len(u)
        if epoch % 3 == 0:
            print(f"epoch {epoch:3d}  bpr loss (hardest of {a.candidates}) {total / n:.4f}  recall@10 {recall_at(model.all_scores(), seen, test):.3f}")


if __name__ == "__main__":
    main()
