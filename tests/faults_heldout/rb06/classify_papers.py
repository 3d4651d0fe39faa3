import copy

import torch
from torch import nn
from torch.nn import functional as F

from graph import load

SEED = 17
HIDDEN = 32
EPOCHS = 250
PATIENCE = 60


class GraphConv(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.lin = nn.Linear(d_in, d_out)

    def forward(self, adj, h):
        return torch.sparse.mm(adj, self.lin(h))


class GCN(nn.Module):
    def __init__(self, d_in, hidden, classes, dropout=0.4):
        super().__init__()
        self.first = GraphConv(d_in, hidden)
        self.second = GraphConv(hidden, classes)
        self.dropout = dropout

    def forward(self, adj, x):
        h = F.relu(self.first(adj, x))
        h = F.dropout(h, self.dropout, self.training)
        return self.second(adj, h)


def evaluate(model, g, mask):
    model.eval()
    with torch.no_grad():
        logits = model(g.adj, g.x)[mask]
    return F.cross_entropy(logits, g.y[mask]).item(), (logits.argmax(1) == g.y[mask]).float().mean().item()


def main():
    torch.manual_seed(SEED)
    g = load("papers.npz", SEED)
    classes = int(g.y.max()) + 1
    model = GCN(g.x.shape[1], HIDDEN, classes)
    opt = torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=1e-3)

    best, best_state, waited = float("inf"), None, 0
    for epoch in range(EPOCHS):
        model.train()
        logits = model(g.adj, g.x)
        loss = F.cross_entropy(logits[g.train], g.y[g.train])
        opt.zero_grad()
        loss.backward()
        opt.step()

        val_loss, val_acc = evaluate(model, g, g.valid)
        if epoch % 25 == 0:
            print(f"epoch {epoch:3d} loss {loss.item():.4f} valid {val_loss:.4f} acc {val_acc:.3f}")
        if val_loss < best - 1e-4:
            best, best_state, waited = val_loss, copy.deepcopy(model.state_dict()), 0
        else:
            waited += 1
            if waited >= PATIENCE:
                print("stopped at epoch", epoch)
                break

    model.load_state_dict(best_state)
    for name in ("train", "valid", "test"):
        loss, acc = evaluate(model, g, getattr(g, name))
        print(f"{name}: loss {loss:.4f} accuracy {acc:.3f}")


if __name__ == "__main__":
    main()
