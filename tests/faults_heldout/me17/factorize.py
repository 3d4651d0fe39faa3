"""Star ratings by biased matrix factorisation with sparse gradients."""
import torch
from torch import nn
from torch.utils.data import DataLoader

from reader import load


class Factors(nn.Module):
    def __init__(self, users, items, mean, k=6):
        super().__init__()
        self.u = nn.Embedding(users, k, sparse=True)
        self.i = nn.Embedding(items, k, sparse=True)
        self.bu = nn.Embedding(users, 1)
        self.bi = nn.Embedding(items, 1)
        self.register_buffer("mean", torch.tensor(mean))
        for e in (self.u, self.i):
            nn.init.normal_(e.weight, std=0.1)
        for e in (self.bu, self.bi):
            nn.init.zeros_(e.weight)

    def forward(self, u, i):
        pu, qi = self.u(u), self.i(i)
        score = self.mean + self.bu(u)[:, 0] + self.bi(i)[:, 0] + (pu * qi).sum(1)
        return score, (pu.square().sum(1) + qi.square().sum(1)).mean()


def rmse(model, loader):
    model.eval()
    err = n = 0.0
    with torch.no_grad():
        for u, i, s in loader:
            err += (model(u, i)[0].clamp(1, 5) - s).square().sum().item()
            n += len(s)
    return (err / n) ** 0.5


def main(epochs=22, reg=0.06, lr=9e-3):
    torch.manual_seed(10)
    train, val, test, users, items = load("stars.tsv")
    collate = lambda b: (torch.tensor([r[0] for r in b]), torch.tensor([r[1] for r in b]), torch.tensor([r[2] for r in b]))
    loader = DataLoader(train, 128, shuffle=True, collate_fn=collate)
    vl, tl = DataLoader(val, 2048, collate_fn=collate), DataLoader(test, 2048, collate_fn=collate)
    model = Factors(users, items, sum(r[2] for r in train) / len(train))
    tables = torch.optim.SparseAdam([*model.u.parameters(), *model.i.parameters()], lr=lr)
    biases = torch.optim.Adam([*model.bu.parameters(), *model.bi.parameters()], lr=lr)
    sched = [torch.optim.lr_scheduler.CosineAnnealingLR(o, epochs, eta_min=lr / 50) for o in (tables, biases)]
    for epoch in range(1, epochs + 1):
        model.train()
        sq = n = 0.0
        for u, i, s in loader:
            pred, size = model(u, i)
            mse = (pred - s).square().mean()
            loss = mse + reg * size
            tables.zero_grad()
            biases.zero_grad()
            loss.backward()
            tables.step()
            biases.step()
            sq += mse.item() * len(s)
            n += len(s)
        for s_ in sched:
            s_.step()
        if epoch % 2 == 0:
            print(f"{epoch:3d}  rmse train {(sq / n) ** 0.5:.4f}  val {rmse(model, vl):.4f}")
    mean = model.mean.item()
    flat = (sum((r[2] - mean) ** 2 for r in test) / len(test)) ** 0.5
    print(f"test rmse {rmse(model, tl):.4f}  (global mean {flat:.4f})")


if __name__ == "__main__":
    main()
