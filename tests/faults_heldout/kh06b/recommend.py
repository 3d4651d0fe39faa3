"""Rating prediction with biased matrix factorisation. Serves the averaged weights."""
import copy
import torch
from torch import nn


def load_yaml(path):
    """flat two-level yaml is all we need"""
    out, section = {}, None
    for line in open(path):
        line = line.split("#")[0].rstrip()
        if not line:
            continue
        key, _, value = line.strip().partition(":")
        if not line.startswith(" "):
            section = out.setdefault(key, {})
        else:
            section[key] = float(value) if "." in value or "e" in value else int(value)
    return out


class Factorizer(nn.Module):
    def __init__(self, users, items, rank):
        super().__init__()
        self.u = nn.Embedding(users, rank)
        self.i = nn.Embedding(items, rank)
        self.bu = nn.Embedding(users, 1)
        self.bi = nn.Embedding(items, 1)
        self.base = nn.Parameter(torch.zeros(()))
        for e in (self.u, self.i):
            nn.init.normal_(e.weight, std=0.1)
        for e in (self.bu, self.bi):
            nn.init.zeros_(e.weight)

    def forward(self, user, item):
        dot = (self.u(user) * self.i(item)).sum(-1)
        return self.base + self.bu(user)[:, 0] + self.bi(item)[:, 0] + dot


class Average:
    def __init__(self, model, decay, every):
        self.model = copy.deepcopy(model).eval().requires_grad_(False)
        self.decay, self.every = decay, every
        self.calls = 0

    @torch.no_grad()
    def update(self, live):
        self.calls += 1
        if self.calls % self.every:
            return
        for a, p in zip(self.model.parameters(), live.parameters()):
            a.mul_(self.decay).add_(p, alpha=1 - self.decay)


def rmse(model, rows):
    with torch.no_grad():
        pred = model(rows[:, 0], rows[:, 1])
    return (pred - rows[:, 2].float() / 10 + 3).pow(2).mean().sqrt().item()


def main():
    cfg = load_yaml("recommend.yaml")
    torch.manual_seed(3)
    rows = torch.tensor([[int(v) for v in line.split(",")] for line in open("ratings.csv").readlines()[1:]])
    rows = rows[torch.randperm(len(rows))]
    cut = len(rows) * 9 // 10
    train, test = rows[:cut], rows[cut:]
    model = Factorizer(int(rows[:, 0].max()) + 1, int(rows[:, 1].max()) + 1, cfg["model"]["rank"])
    average = Average(model, cfg["average"]["decay"], cfg["average"]["every"])
    opt = torch.optim.AdamW(model.parameters(), lr=cfg["optim"]["lr"], weight_decay=cfg["optim"]["weight_decay"])
    for epoch in range(cfg["optim"]["epochs"]):
        model.train()
        total = 0.0
        for idx in torch.randperm(len(train)).split(cfg["optim"]["batch"]):
            b = train[idx]
            loss = nn.functional.mse_loss(model(b[:, 0], b[:, 1]), b[:, 2].float() / 10 - 3)
            opt.zero_grad()
            loss.backward()
            opt.step()
            average.update(model)
            total += loss.item() * len(b)
        print(f"epoch {epoch:2d} train mse {total / len(train):.3f}   served rmse {rmse(average.model, test):.3f}")


if __name__ == "__main__":
    main()
