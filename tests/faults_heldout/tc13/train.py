from pathlib import Path

import torch
import torch.nn.functional as F
from torch import nn

from graph import load


class GCN(nn.Module):
    def __init__(self, n_in, hidden, n_out, dropout):
        super().__init__()
        self.lin1 = nn.Linear(n_in, hidden, bias=False)
        self.b1 = nn.Parameter(torch.zeros(hidden))
        self.lin2 = nn.Linear(hidden, n_out, bias=False)
        self.b2 = nn.Parameter(torch.zeros(n_out))
        self.dropout = dropout

    def forward(self, x, adj):
        x = F.dropout(x, self.dropout, self.training)
        h = F.relu(torch.sparse.mm(adj, self.lin1(x)) + self.b1)
        h = F.dropout(h, self.dropout, self.training)
        return torch.sparse.mm(adj, self.lin2(h)) + self.b2


def main():
    torch.manual_seed(42)
    x, y, adj, (train, val, test) = load(Path(__file__).parent / "papers.npz")
    print(f"{len(x)} nodes, {(adj._nnz() - len(x)) // 2} edges; labelled {int(train.sum())}, "
          f"val {int(val.sum())}, test {int(test.sum())}")
    model = GCN(x.size(1), 16, int(y.max()) + 1, dropout=0.5)
    opt = torch.optim.Adam([
        {"params": model.lin1.parameters(), "weight_decay": 5e-3},
        {"params": [model.b1, model.b2, *model.lin2.parameters()]},
    ], lr=0.01)

    best_val, best_state = 0.0, None
    for epoch in range(1, 201):
        model.train()
        loss = F.cross_entropy(model(x, adj)[train], y[train])
        opt.zero_grad()
        loss.backward()
        opt.step()

        model.eval()
        with torch.no_grad():
            logits = model(x, adj)
        hit = logits.argmax(1) == y
        val_acc = hit[val].float().mean().item()
        if val_acc > best_val:
            best_val = val_acc
            best_state = {k: v.clone() for k, v in model.state_dict().items()}
        if epoch % 20 == 0:
            print(f"epoch {epoch:3d}  loss {loss.item():.3f}  val loss {F.cross_entropy(logits[val], y[val]).item():.3f}"
                  f"  train {hit[train].float().mean().item():.3f}  val {val_acc:.3f}")

    model.load_state_dict(best_state)
    model.eval()
    with torch.no_grad():
        test_acc = (model(x, adj).argmax(1) == y)[test].float().mean().item()
    print(f"best val {best_val:.3f}  test {test_acc:.3f}")


if __name__ == "__main__":
    main()
