"""Two-layer GCN, written with sparse matrix products, on one citation-like graph (transductive)."""
import numpy as np
import torch
import torch.nn.functional as F


def make_graph(n=900, communities=5, words=120, seed=77):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, communities, n)
    prob = np.where(y[:, None] == y[None, :], 0.016, 0.0022)
    upper = np.triu(rng.random((n, n)) < prob, 1)
    adj = upper | upper.T
    topic = rng.dirichlet(np.full(words, 0.5), communities)
    base = rng.dirichlet(np.full(words, 1.0))
    x = np.stack([rng.multinomial(18, 0.35 * topic[c] + 0.65 * base) for c in y]).astype(np.float32)
    return adj, x / x.sum(1, keepdims=True), y


def normalise(adj):
    a = adj.astype(np.float32) + np.eye(len(adj), dtype=np.float32)
    d = 1.0 / np.sqrt(a.sum(1))
    return torch.from_numpy(d[:, None] * a * d[None, :]).to_sparse()


def masks(y, per_class, n_val, seed=0):
    rng = np.random.default_rng(seed)
    role = np.full(len(y), "test", dtype="U5")
    for c in np.unique(y):
        role[rng.choice(np.flatnonzero(y == c), per_class, replace=False)] = "train"
    rest = np.flatnonzero(role == "test")
    role[rng.choice(rest, n_val, replace=False)] = "val"
    return {k: torch.from_numpy(role == k) for k in ("train", "val", "test")}


class GCN(torch.nn.Module):
    def __init__(self, n_in, hidden, n_out, p=0.5):
        super().__init__()
        self.w1 = torch.nn.Parameter(torch.empty(n_in, hidden))
        self.w2 = torch.nn.Parameter(torch.empty(hidden, n_out))
        self.b1 = torch.nn.Parameter(torch.zeros(hidden))
        self.b2 = torch.nn.Parameter(torch.zeros(n_out))
        torch.nn.init.xavier_uniform_(self.w1)
        torch.nn.init.xavier_uniform_(self.w2)
        self.p = p

    def forward(self, a, x):
        h = F.relu(torch.sparse.mm(a, F.dropout(x, self.p, self.training) @ self.w1) + self.b1)
        h = F.dropout(h, self.p, self.training)
        return torch.sparse.mm(a, h @ self.w2) + self.b2


torch.manual_seed(10)
adj, x, y = make_graph()
a, x, y = normalise(adj), torch.from_numpy(x), torch.from_numpy(y)
x = (x - x.mean(0)) / x.std(0).clamp(min=1e-6)
m = masks(y.numpy(), per_class=30, n_val=150)
model = GCN(x.shape[1], 32, int(y.max()) + 1)
opt = torch.optim.Adam([{"params": [model.w1, model.b1], "weight_decay": 5e-3},
                        {"params": [model.w2, model.b2], "weight_decay": 0.0}], lr=0.01)
chosen = {"val": 0.0, "test": 0.0, "epoch": -1}
for epoch in range(120):
    model.train()
    opt.zero_grad()
    loss = F.cross_entropy(model(a, x)[m["train"]], y[m["train"]])
    loss.backward()
    opt.step()

    model.eval()
    with torch.no_grad():
        out = model(a, x)
    acc = {k: (out[v].argmax(1) == y[v]).float().mean().item() for k, v in m.items()}
    if acc["val"] > chosen["val"]:
        chosen = {"val": acc["val"], "test": acc["test"], "epoch": epoch}
    if epoch % 15 == 14:
        val_loss = F.cross_entropy(out[m["val"]], y[m["val"]]).item()
        print(f"{epoch + 1:3d} loss {loss.item():.4f} val loss {val_loss:.4f} " + " ".join(f"{k} {v:.3f}" for k, v in acc.items()))
print("selected by validation:", chosen)
