"""Skip-gram with negative sampling over shopping baskets (item2vec)."""
import collections
import random

import torch
from torch import nn
import torch.nn.functional as F

AISLES = ["bakery", "dairy", "fruit", "tools", "garden", "toys", "office", "pets"]
PER_AISLE = 15


def baskets(n, rng):
    """Every basket comes from one or two neighbouring aisles, with an item from anywhere now and then."""
    out = []
    for _ in range(n):
        k = rng.randrange(len(AISLES))
        near = [k, (k + 1) % len(AISLES)] if rng.random() < 0.3 else [k]
        items = []
        for _ in range(rng.randint(4, 8)):
            aisle = rng.randrange(len(AISLES)) if rng.random() < 0.1 else rng.choice(near)
            item = min(int(rng.expovariate(0.2)), PER_AISLE - 1)
            items.append(aisle * PER_AISLE + item)
        out.append(items)
    return out


def pairs_of(data):
    return torch.tensor([(a, b) for basket in data for i, a in enumerate(basket) for j, b in enumerate(basket)
                         if i != j and a != b])


class SkipGram(nn.Module):
    def __init__(self, n, dim=16):
        super().__init__()
        self.centre = nn.Embedding(n, dim, sparse=True)
        self.context = nn.Embedding(n, dim, sparse=True)
        nn.init.uniform_(self.centre.weight, -0.5 / dim, 0.5 / dim)
        nn.init.zeros_(self.context.weight)

    def forward(self, c, pos, neg):
        v = self.centre(c)
        p = (v * self.context(pos)).sum(-1)
        n = torch.einsum("bd,bkd->bk", v, self.context(neg))
        return -(F.logsigmoid(p) + F.logsigmoid(-n).sum(-1)).mean()


def neighbour_purity(vectors, k=5):
    v = F.normalize(vectors, dim=1)
    sim = v @ v.T
    sim.fill_diagonal_(-2)
    aisle = torch.arange(len(v)) // PER_AISLE
    return (aisle[sim.topk(k).indices] == aisle[:, None]).float().mean().item()


def main(batch=128, negatives=5, epochs=4):
    rng = random.Random(13)
    torch.manual_seed(13)
    data = baskets(1500, rng)
    train, held = pairs_of(data[:1300]), pairs_of(data[1300:])
    counts = collections.Counter(i for b in data[:1300] for i in b)
    n = len(AISLES) * PER_AISLE
    noise = torch.tensor([counts[i] for i in range(n)], dtype=torch.float).pow(0.75)
    held_neg = torch.multinomial(noise, len(held) * negatives, replacement=True).view(-1, negatives)

    model = SkipGram(n)
    optimizer = torch.optim.SparseAdam(list(model.parameters()), lr=5e-3)
    print(f"{len(train)} pairs, {n} items")
    for epoch in range(epochs):
        total = 0.0
        for idx in torch.randperm(len(train)).split(batch):
            c, pos = train[idx].T
            neg = torch.multinomial(noise, len(idx) * negatives, replacement=True).view(-1, negatives)
            loss = model(c, pos, neg)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item() * len(idx)
        with torch.no_grad():
            test = model(held[:, 0], held[:, 1], held_neg).item()
            purity = neighbour_purity(model.centre.weight)
        print(f"epoch {epoch} loss {total / len(train):.4f} held-out {test:.4f} neighbours from the same aisle {purity:.3f}")


if __name__ == "__main__":
    main()
