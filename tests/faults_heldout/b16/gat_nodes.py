"""Node classification with a two-layer graph attention network written with plain tensors.

Transductive setting: the whole graph is visible, labels only for the train mask.
"""
import logging

import torch
import torch.nn as nn
import torch.nn.functional as F

logging.basicConfig(level=logging.INFO, format="%(message)s")


def make_graph(n=600, c=5, d=40, p_in=0.03, p_out=0.003, seed=0):
    g = torch.Generator().manual_seed(seed)
    y = torch.randint(0, c, (n,), generator=g)
    prob = torch.where(y[:, None] == y[None, :], torch.tensor(p_in), torch.tensor(p_out))
    a = (torch.rand(n, n, generator=g) < prob).triu(1)
    a = a | a.t() | torch.eye(n, dtype=torch.bool)
    centers = torch.randn(c, d, generator=g) * 0.35
    x = centers[y] + torch.randn(n, d, generator=g)
    perm = torch.randperm(n, generator=g)
    masks = [torch.zeros(n, dtype=torch.bool) for _ in range(3)]
    for m, sl in zip(masks, (slice(0, 200), slice(200, 350), slice(350, n))):
        m[perm[sl]] = True
    return x, y, a, masks


class GATLayer(nn.Module):
    def __init__(self, d_in, d_out, heads, concat=True, drop=0.3):
        super().__init__()
        self.h, self.d, self.concat, self.drop = heads, d_out, concat, drop
        self.lin = nn.Linear(d_in, heads * d_out, bias=False)
        self.a_src = nn.Parameter(torch.empty(heads, d_out))
        self.a_dst = nn.Parameter(torch.empty(heads, d_out))
        self.bias = nn.Parameter(torch.zeros(heads * d_out if concat else d_out))
        for w in (self.lin.weight, self.a_src, self.a_dst):
            nn.init.xavier_uniform_(w)

    def forward(self, x, adj):
        n = x.size(0)
        z = self.lin(F.dropout(x, self.drop, self.training)).view(n, self.h, self.d)
        e = F.leaky_relu((z * self.a_dst).sum(-1)[:, None] + (z * self.a_src).sum(-1)[None], 0.2)
        alpha = e.masked_fill(~adj[..., None], float("-inf")).softmax(dim=1)
        alpha = F.dropout(alpha, self.drop, self.training)
        out = torch.einsum("ijh,jhd->ihd", alpha, z)
        out = out.reshape(n, -1) if self.concat else out.mean(1)
        return out + self.bias


class GAT(nn.Module):
    def __init__(self, d, c):
        super().__init__()
        self.l1 = GATLayer(d, 8, 4)
        self.l2 = GATLayer(32, c, 2, concat=False)

    def forward(self, x, adj):
        return self.l2(F.elu(self.l1(x, adj)), adj)


def main():
    torch.manual_seed(11)
    x, y, adj, (tr, va, te) = make_graph(seed=11)
    model = GAT(x.size(1), int(y.max()) + 1)
    opt = torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=5e-4)
    best, best_state, bad = -1.0, None, 0
    for ep in range(1, 121):
        model.train()
        loss = F.cross_entropy(model(x, adj)[tr], y[tr])
        opt.zero_grad()
        loss.backward()
        opt.step()
        model.eval()
        with torch.no_grad():
            pred = model(x, adj).argmax(1)
        acc = [(pred[m] == y[m]).float().mean().item() for m in (tr, va)]
        if acc[1] > best:
            best, bad = acc[1], 0
            best_state = {k: v.clone() for k, v in model.state_dict().items()}
        else:
            bad += 1
        if ep % 10 == 0:
            logging.info("epoch %3d loss %.4f train acc %.3f val acc %.3f", ep, loss.item(), *acc)
        if bad >= 40:
            break
    model.load_state_dict(best_state)
    model.eval()
    with torch.no_grad():
        pred = model(x, adj).argmax(1)
    logging.info("test acc %.3f (best val %.3f, majority %.3f)", (pred[te] == y[te]).float().mean(), best,
                 y[te].bincount().max() / te.sum())


if __name__ == "__main__":
    main()
