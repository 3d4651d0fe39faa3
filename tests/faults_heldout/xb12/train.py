import math
from pathlib import Path

import torch
from sklearn.metrics import average_precision_score, roc_auc_score
from torch.nn.functional import binary_cross_entropy_with_logits as bce

from claims.net import FlagNet
from claims.table import read, rounds, split

HERE = Path(__file__).parent


@torch.no_grad()
def report(model, cat, num, y, shift):
    """Scores with the class prior put back in (training batches are half and half)."""
    model.eval()
    logit = model(cat, num) + shift
    model.train()
    p = logit.sigmoid().numpy()
    return bce(logit, y).item(), average_precision_score(y.numpy(), p), roc_auc_score(y.numpy(), p)


def main():
    torch.manual_seed(6)
    gen = torch.Generator().manual_seed(6)
    cat, num, y = read(HERE / "claims.csv")
    tr, va = split(len(y), y, 0.3, gen)
    num = (num - num[tr].mean(0)) / num[tr].std(0)
    rate = y[tr].mean().item()
    shift = math.log(rate / (1 - rate))
    base = -(rate * math.log(rate) + (1 - rate) * math.log(1 - rate))
    print(f"{len(tr)} rows, {100 * rate:.1f} % flagged, prior-only log loss {base:.4f}")

    model = FlagNet()
    tables = torch.optim.SparseAdam(list(model.tables.parameters()), lr=2e-3)
    dense = torch.optim.AdamW(model.mlp.parameters(), lr=1e-3, weight_decay=1e-2)
    for epoch in range(1, 7):
        for rows in rounds(y[tr], 32, gen):
            j = tr[rows]
            loss = bce(model(cat[j], num[j]), y[j])
            tables.zero_grad()
            dense.zero_grad()
            loss.backward()
            tables.step()
            dense.step()
        a = report(model, cat[tr], num[tr], y[tr], shift)
        b = report(model, cat[va], num[va], y[va], shift)
        print(f"epoch {epoch} batch loss {loss.item():.3f} | train ll {a[0]:.4f} ap {a[1]:.3f} auc {a[2]:.3f} | val ll {b[0]:.4f} ap {b[1]:.3f} auc {b[2]:.3f}")


if __name__ == "__main__":
    main()
