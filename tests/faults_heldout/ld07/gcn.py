import numpy as np
import torch
import torch.nn.functional as F
from torch.nn import Linear, Module


def normalised_adjacency(edges, n):
    a = torch.eye(n)
    a[edges[:, 0], edges[:, 1]] = 1.0
    a[edges[:, 1], edges[:, 0]] = 1.0
    d = a.sum(1).rsqrt()
    return (d[:, None] * a * d[None, :]).to_sparse()


class GCNLayer(Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        self.lin = Linear(n_in, n_out)

    def forward(self, x, adj):
        return torch.sparse.mm(adj, self.lin(x))


class GCN(Module):
    def __init__(self, n_feat, n_hidden, n_class, dropout):
        super().__init__()
        self.dropout = dropout
        self.gc1 = GCNLayer(n_feat, n_hidden)
        self.gc2 = GCNLayer(n_hidden, n_class)

    def forward(self, x, adj):
        x = F.dropout(x, 0.2, self.training)
        h = F.relu(self.gc1(x, adj))
        h = F.dropout(h, self.dropout)
        return self.gc2(h, adj)


torch.manual_seed(1)
raw = np.load("papers.npz")
feat = torch.from_numpy(raw["feat"].astype(np.float32))
topic = torch.from_numpy(raw["topic"].astype(np.int64))
adj = normalised_adjacency(torch.from_numpy(raw["links"].astype(np.int64)), len(topic))
order = torch.from_numpy(raw["order"].astype(np.int64))
idx_train, idx_val, idx_test = order[:350], order[350:600], order[600:]

model = GCN(feat.shape[1], 16, int(topic.max()) + 1, dropout=0.7)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=5e-3)


def evaluate(idx):
    model.eval()
    with torch.no_grad():
        out = model(feat, adj)
        return F.cross_entropy(out[idx], topic[idx]).item(), (out[idx].argmax(1) == topic[idx]).float().mean().item()


for epoch in range(1, 201):
    model.train()
    optimizer.zero_grad()
    out = model(feat, adj)
    loss = F.cross_entropy(out[idx_train], topic[idx_train])
    loss.backward()
    optimizer.step()
    if epoch % 20 == 0:
        vl, va = evaluate(idx_val)
        print(f"Epoch: {epoch:03d}  loss_train: {loss.item():.4f}  loss_val: {vl:.4f}  acc_val: {va:.4f}")

print("Test set results: loss= %.4f accuracy= %.4f" % evaluate(idx_test))
