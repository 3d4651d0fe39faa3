"""Two-layer graph convolution on the author-collaboration graph; predicts the research field of an author."""
import copy
import json

import numpy as np
import torch
import torch.nn.functional as F


def normalised_adjacency(edges, n):
    src = torch.cat([edges[:, 0], edges[:, 1], torch.arange(n)])
    dst = torch.cat([edges[:, 1], edges[:, 0], torch.arange(n)])
    deg = torch.bincount(dst, minlength=n).float()
    w = deg[src].rsqrt() * deg[dst].rsqrt()
    return torch.sparse_coo_tensor(torch.stack([dst, src]), w, (n, n), check_invariants=True).coalesce()


class GraphConv(torch.nn.Module):
    def __init__(self, fan_in, fan_out):
        super().__init__()
        self.lin = torch.nn.Linear(fan_in, fan_out)

    def forward(self, adj, h):
        return torch.sparse.mm(adj, self.lin(h))


class FieldNet(torch.nn.Module):
    def __init__(self, fan_in, hidden, fields, drop):
        super().__init__()
        self.a = GraphConv(fan_in, hidden)
        self.b = GraphConv(hidden, fields)
        self.drop = drop

    def forward(self, adj, h):
        h = F.dropout(h, self.drop, self.training)
        h = F.relu(self.a(adj, h))
        h = F.dropout(h, self.drop, self.training)
        return self.b(adj, h)


def main():
    torch.manual_seed(1)
    g = np.load("graph.npz")
    feats = torch.from_numpy(g["words"].astype(np.float32))
    feats = feats / feats.sum(1, keepdim=True).clamp(min=1)
    field = torch.from_numpy(g["field"].astype(np.int64))
    adj = normalised_adjacency(torch.from_numpy(g["edges"].astype(np.int64)), len(field))
    with open("split.json") as fh:
        split = {k: torch.tensor(v) for k, v in json.load(fh).items()}

    model = FieldNet(feats.shape[1], 32, int(field.max()) + 1, 0.5)
    opt = torch.optim.Adam([
        {"params": model.a.parameters(), "weight_decay": 5e-4},
        {"params": model.b.parameters(), "weight_decay": 0.0},
    ], lr=0.01)

    best, kept = float("inf"), None
    for epoch in range(1, 261):
        model.train()
        opt.zero_grad()
        loss = F.cross_entropy(model(adj, feats)[split["train"]], field[split["train"]])
        loss.backward()
        opt.step()

        model.eval()
        with torch.no_grad():
            out = model(adj, feats)[split["valid"]]
            v_loss = F.cross_entropy(out, field[split["valid"]]).item()
            v_acc = (out.argmax(1) == field[split["valid"]]).float().mean().item()
        if v_loss < best:
            best, kept = v_loss, copy.deepcopy(model.state_dict())
        if epoch % 20 == 0:
            print(f"epoch {epoch}: loss {loss.item():.4f} | valid loss {v_loss:.4f} acc {v_acc:.3f}")

    model.load_state_dict(kept)
    model.eval()
    with torch.no_grad():
        pred = model(adj, feats).softmax(1)
    conf, cls = pred.max(1)
    rest = torch.ones(len(field), dtype=torch.bool)
    rest[split["train"]] = False
    rest[split["valid"]] = False
    print(f"predicted {int(rest.sum())} authors, mean confidence {conf[rest].mean():.3f}")
    np.savetxt("fields.txt", cls.numpy(), fmt="%d")


if __name__ == "__main__":
    main()
