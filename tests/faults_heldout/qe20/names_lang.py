"""Which language does a place name come from? Updates are summed over several small chunks."""
import random
from dataclasses import dataclass, field

import torch
from torch import nn


@dataclass
class Setup:
    path: str = "names.csv"
    chunk: int = 8
    chunks_per_update: int = 4
    epochs: int = 10
    lr: float = 2e-3
    labels: list = field(default_factory=lambda: ["kethic", "lumian", "norvald", "ostran"])


class NameNet(nn.Module):
    def __init__(self, letters, classes, dim=24, channels=64):
        super().__init__()
        self.emb = nn.Embedding(letters + 1, dim, padding_idx=0)
        self.conv = nn.Conv1d(dim, channels, 3, padding=1)
        self.head = nn.Linear(channels, classes)

    def forward(self, ids):
        h = torch.relu(self.conv(self.emb(ids).transpose(1, 2)))
        h = h.masked_fill((ids == 0).unsqueeze(1), 0.0)
        return self.head(h.amax(2))


def read(s):
    rows = [l.strip().split(",") for l in open(s.path)]
    letters = sorted({c for n, _ in rows for c in n})
    longest = max(len(n) for n, _ in rows)
    ids = torch.zeros(len(rows), longest, dtype=torch.long)
    for k, (n, _) in enumerate(rows):
        ids[k, :len(n)] = torch.tensor([letters.index(c) + 1 for c in n])
    y = torch.tensor([s.labels.index(l) for _, l in rows])
    return ids, y, len(letters)


def groups(n, s):
    """Yields lists of index chunks; one list is one update."""
    order = torch.randperm(n)
    size = s.chunk * s.chunks_per_update
    for g in order.split(size):
        yield g.split(s.chunk)


def train_epoch(net, opt, ids, y, s):
    net.train()
    total = 0.0
    for group in groups(len(ids), s):
        count = sum(len(c) for c in group)
        opt.zero_grad()
        for c in group:
            loss = nn.functional.cross_entropy(net(ids[c]), y[c], reduction="sum") / count
            loss.backward()
            total += loss.item() * count
        opt.step()
    return total / len(ids)


def main():
    s = Setup()
    random.seed(1)
    torch.manual_seed(1)
    ids, y, n_letters = read(s)
    n = 2000
    net = NameNet(n_letters, len(s.labels))
    opt = torch.optim.AdamW(net.parameters(), lr=s.lr, weight_decay=0.01)
    for epoch in range(s.epochs):
        loss = train_epoch(net, opt, ids[:n], y[:n], s)
        net.eval()
        with torch.no_grad():
            tr = (net(ids[:n]).argmax(1) == y[:n]).float().mean()
            te = (net(ids[n:]).argmax(1) == y[n:]).float().mean()
        print(f"epoch {epoch + 1} loss {loss:.3f} train {tr:.3f} test {te:.3f}")


if __name__ == "__main__":
    main()
