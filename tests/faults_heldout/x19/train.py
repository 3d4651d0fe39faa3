"""Streaming matrix factorisation: one rating at a time, sparse embedding updates.

Ratings come in as they are made; the running error is measured before each update, i.e. always on an event
the model has not used yet.
"""
import torch
from torch import nn

USERS, ITEMS, RANK, EVENTS = 60, 40, 3, 9000


def stream(seed):
    gen = torch.Generator().manual_seed(seed)
    u = torch.randn(USERS, RANK, generator=gen) / RANK ** 0.5
    v = torch.randn(ITEMS, RANK, generator=gen)
    bu, bv = 0.4 * torch.randn(USERS, generator=gen), 0.6 * torch.randn(ITEMS, generator=gen)
    table = 3.5 + bu[:, None] + bv[None] + u @ v.T
    who = torch.randint(0, USERS, (EVENTS,), generator=gen)
    what = torch.randint(0, ITEMS, (EVENTS,), generator=gen)
    rating = table[who, what] + 0.2 * torch.randn(EVENTS, generator=gen)
    for k in range(EVENTS):
        yield who[k:k + 1], what[k:k + 1], rating[k]


class Factors(nn.Module):
    def __init__(self, rank, start):
        super().__init__()
        self.user = nn.Embedding(USERS, rank + 1, sparse=True)
        self.item = nn.Embedding(ITEMS, rank + 1, sparse=True)
        self.register_buffer("offset", torch.tensor(start))
        nn.init.normal_(self.user.weight, std=0.1)
        nn.init.normal_(self.item.weight, std=0.1)

    def forward(self, i, j):
        u, v = self.user(i), self.item(j)
        return (self.offset + u[:, 0] + v[:, 0] + (u[:, 1:] * v[:, 1:]).sum(1)).squeeze(0)


def main():
    torch.manual_seed(61)
    model = Factors(4, start=3.5)
    opt = torch.optim.SGD(model.parameters(), lr=0.05)
    window, naive, mean, n = [], [], 3.5, 0
    for step, (i, j, rating) in enumerate(stream(61), 1):
        pred = model(i, j)
        err = (pred - rating) ** 2
        window.append(err.item())
        naive.append((mean - rating.item()) ** 2)
        opt.zero_grad()
        err.backward()
        opt.step()
        n += 1
        mean += (rating.item() - mean) / n
        if step % 1000 == 0:
            print(f"{step:5d} events  rmse of the last 1000 {(sum(window) / len(window)) ** 0.5:.3f}  "
                  f"(running mean predictor {(sum(naive) / len(naive)) ** 0.5:.3f})")
            window.clear()
            naive.clear()


if __name__ == "__main__":
    main()
