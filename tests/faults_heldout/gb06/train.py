"""Two-layer GCN on a synthetic citation graph (stochastic block model, bag-of-words features)."""
import numpy as np
import scipy.sparse as sp
import torch
import torch.nn as nn
import torch.nn.functional as F

SEED = 8
N, CLASSES, VOCAB = 900, 6, 400
HIDDEN, EPOCHS, LR = 16, 200, 1e-2

rng = np.random.default_rng(SEED)
torch.manual_seed(SEED)


def citation_graph():
    y = rng.integers(0, CLASSES, N)
    p = np.where(y[:, None] == y[None, :], 0.020, 0.003)
    upper = np.triu(rng.random((N, N)) < p, 1)
    adj = sp.csr_matrix((upper | upper.T).astype(np.float32))
    topic = rng.dirichlet(np.full(VOCAB, 0.25), CLASSES)
    background = rng.dirichlet(np.full(VOCAB, 1.0))
    words = np.stack([rng.multinomial(30, 0.25 * topic[c] + 0.75 * background) for c in y])
    return adj, (words > 0).astype(np.float32), y


def normalise(adj):
    a = adj + sp.eye(adj.shape[0], dtype=np.float32, format="csr")
    d = sp.diags(1.0 / np.sqrt(np.asarray(a.sum(1)).ravel()))
    return (d @ a @ d).tocsr().astype(np.float32)


class GraphConv(nn.Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        self.linear = nn.Linear(n_in, n_out, bias=False)
        self.bias = nn.Parameter(torch.zeros(n_out))

    def forward(self, x, a_hat):
        neighbourhood = torch.from_numpy(a_hat @ x.detach().numpy())
        return self.linear(neighbourhood) + self.bias


class GCN(nn.Module):
    def __init__(self, n_in, hidden, n_out, dropout=0.4):
        super().__init__()
        self.conv1 = GraphConv(n_in, hidden)
        self.conv2 = GraphConv(hidden, n_out)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, a_hat):
        h = F.relu(self.conv1(x, a_hat))
        return self.conv2(self.dropout(h), a_hat)


adj, feats, labels = citation_graph()
a_hat = normalise(adj)
x = torch.from_numpy(feats / feats.sum(1, keepdims=True) * 10)
y = torch.from_numpy(labels)
order = rng.permutation(N)
train_idx, val_idx = order[:300], order[300:]

model = GCN(VOCAB, HIDDEN, CLASSES)
optimizer = torch.optim.Adam(model.parameters(), lr=LR, weight_decay=5e-4)

for epoch in range(1, EPOCHS + 1):
    model.train()
    optimizer.zero_grad()
    loss = F.cross_entropy(model(x, a_hat)[train_idx], y[train_idx])
    loss.backward()
    optimizer.step()
    if epoch % 20 == 0:
        model.eval()
        with torch.no_grad():
            pred = model(x, a_hat).argmax(1)
        acc = {k: (pred[i] == y[i]).float().mean().item() for k, i in (("train", train_idx), ("val", val_idx))}
        print(f"epoch {epoch:3d} loss {loss.item():.4f} train {acc['train']:.3f} val {acc['val']:.3f}")
