"""Matrix factorisation for star ratings."""
import csv
from pathlib import Path
from types import SimpleNamespace

import torch
import yaml
from torch import nn
from torch.utils.data import DataLoader, RandomSampler, TensorDataset

HERE = Path(__file__).parent
cfg = SimpleNamespace(**yaml.safe_load((HERE / "config.yaml").read_text()))


def load_ratings():
    with open(HERE / cfg.ratings, newline="") as f:
        rows = [(int(r["user"]), int(r["item"]), float(r["stars"])) for r in csv.DictReader(f)]
    u, i, s = zip(*rows)
    return torch.tensor(u), torch.tensor(i), torch.tensor(s)


class Factorizer(nn.Module):
    def __init__(self, n_users, n_items, k, mean):
        super().__init__()
        self.user = nn.Embedding(n_users, k)
        self.item = nn.Embedding(n_items, k)
        self.user_bias = nn.Embedding(n_users, 1)
        self.item_bias = nn.Embedding(n_items, 1)
        self.register_buffer("mean", mean)
        for e in (self.user, self.item):
            nn.init.normal_(e.weight, std=0.1)
        for e in (self.user_bias, self.item_bias):
            nn.init.zeros_(e.weight)

    def forward(self, u, i):
        dot = (self.user(u) * self.item(i)).sum(-1)
        return self.mean + dot + self.user_bias(u).squeeze(-1) + self.item_bias(i).squeeze(-1)


def epoch_loader(dataset, epoch):
    """A fixed budget of ratings per epoch, reproducible from the seed."""
    gen = torch.Generator().manual_seed(cfg.seed)
    sampler = RandomSampler(dataset, num_samples=cfg.samples_per_epoch, generator=gen)
    return DataLoader(dataset, batch_size=cfg.batch_size, sampler=sampler)


def main():
    torch.manual_seed(cfg.seed)
    u, i, s = load_ratings()
    order = torch.randperm(len(s), generator=torch.Generator().manual_seed(1))
    tr, va = order[:7500], order[7500:]
    train_set = TensorDataset(u[tr], i[tr], s[tr])
    model = Factorizer(int(u.max()) + 1, int(i.max()) + 1, cfg.factors, s[tr].mean())
    opt = torch.optim.AdamW(model.parameters(), lr=cfg.lr, weight_decay=cfg.weight_decay)
    loss_fn = nn.MSELoss()

    for epoch in range(cfg.epochs):
        model.train()
        seen = total = 0
        for users, items, stars in epoch_loader(train_set, epoch):
            opt.zero_grad()
            loss = loss_fn(model(users, items), stars)
            loss.backward()
            opt.step()
            total += loss.item() * len(stars)
            seen += len(stars)
        model.eval()
        with torch.no_grad():
            rmse = loss_fn(model(u[va], i[va]), s[va]).sqrt().item()
        print(f"epoch {epoch + 1:3d}  train rmse {(total / seen) ** 0.5:.4f}  valid rmse {rmse:.4f}")


if __name__ == "__main__":
    main()
