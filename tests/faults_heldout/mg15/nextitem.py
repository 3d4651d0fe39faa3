"""Next-item model with a two-level softmax: department first, then the item inside it."""
import numpy as np
import torch
from torch import nn
import torch.nn.functional as F

DIM, BATCH, EPOCHS = 24, 128, 14


class TwoLevel(nn.Module):
    def __init__(self, dim, dept):
        super().__init__()
        live = np.where(dept < 255)[0]
        groups = [live[dept[live] == c] for c in range(dept[live].max() + 1)]
        width = max(map(len, groups))
        member = torch.full((len(groups), width), -1)
        slot = torch.full((len(dept),), -1)
        for c, g in enumerate(groups):
            member[c, :len(g)] = torch.from_numpy(g)
            slot[torch.from_numpy(g)] = torch.arange(len(g))
        self.register_buffer("member", member)
        self.register_buffer("slot", slot)
        self.register_buffer("dept", torch.from_numpy(dept.astype(np.int64)))
        self.top = nn.Linear(dim, len(groups))
        self.leaf = nn.Embedding(len(groups) * width, dim + 1, sparse=True)
        nn.init.normal_(self.leaf.weight, std=0.05)
        self.width = width

    def nll(self, h, item):
        c = self.dept[item]
        rows = c[:, None] * self.width + torch.arange(self.width)
        w = self.leaf(rows)
        inner = (w[..., :-1] * h[:, None]).sum(-1) + w[..., -1]
        inner = inner.masked_fill(self.member[c] < 0, float("-inf"))
        return F.cross_entropy(self.top(h), c), F.cross_entropy(inner, self.slot[item])


class SessionModel(nn.Module):
    def __init__(self, catalogue, dept):
        super().__init__()
        self.item = nn.Embedding(catalogue, DIM, sparse=True)
        nn.init.normal_(self.item.weight, std=0.1)
        self.gru = nn.GRU(DIM, DIM, batch_first=True)
        self.drop = nn.Dropout(0.1)
        self.out = TwoLevel(DIM, dept)

    def forward(self, seq):
        h, _ = self.gru(self.drop(self.item(seq[:, :-1])))
        return self.out.nll(self.drop(h).flatten(0, 1), seq[:, 1:].flatten())


def main():
    torch.manual_seed(14)
    z = np.load("sessions.npz")
    seq = torch.from_numpy(z["items"].astype(np.int64))
    train, held = seq[:7600], seq[7600:]
    net = SessionModel(len(z["dept"]), z["dept"])
    sparse = [net.item.weight, net.out.leaf.weight]
    dense = [p for n, p in net.named_parameters() if n not in ("item.weight", "out.leaf.weight")]
    opts = [torch.optim.SparseAdam(sparse, lr=1e-2), torch.optim.Adam(dense, lr=1e-2)]
    drops = [torch.optim.lr_scheduler.StepLR(o, 5, 0.4) for o in opts]
    print(f"catalogue {len(z['dept'])}, items sold {len(np.unique(z['items']))}")
    for ep in range(EPOCHS):
        net.train()
        sums = np.zeros(2)
        parts = torch.randperm(len(train)).split(BATCH)
        for idx in parts:
            a, b = net(train[idx])
            for o in opts:
                o.zero_grad()
            (a + b).backward()
            for o in opts:
                o.step()
            sums += (a.item(), b.item())
        for d in drops:
            d.step()
        net.eval()
        with torch.no_grad():
            a, b = net(held)
        s = sums / len(parts)
        print(f"{ep} train {s.sum():.4f} (dept {s[0]:.4f} item {s[1]:.4f}) held-out {(a + b).item():.4f} perplexity {(a + b).exp().item():.1f}")


if __name__ == "__main__":
    main()
