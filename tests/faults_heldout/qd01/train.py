import json

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from features import CATEGORICAL, TableEncoder, read_table


class FrequencyNet(nn.Module):
    def __init__(self, sizes, dims, n_num, hidden, dropout):
        super().__init__()
        self.emb = nn.ModuleList([nn.Embedding(s, d) for s, d in zip(sizes, dims)])
        for e in self.emb:
            nn.init.normal_(e.weight, std=0.1)
        self.net = nn.Sequential(
            nn.Linear(sum(dims) + n_num, hidden), nn.SiLU(), nn.Dropout(dropout),
            nn.Linear(hidden, hidden), nn.SiLU(), nn.Linear(hidden, 1),
        )

    def forward(self, cat, num):
        z = [e(cat[:, i]) for i, e in enumerate(self.emb)]
        return self.net(torch.cat(z + [num], 1)).squeeze(1)


def deviance(y, mu):
    ylog = torch.where(y > 0, y * torch.log(y.clamp(min=1) / mu), torch.zeros_like(y))
    return (2 * (ylog - (y - mu))).mean().item()


def main():
    cfg = json.load(open("config.json"))
    torch.manual_seed(cfg["seed"])
    table = read_table(cfg["data"])
    n = len(table["claims"])
    order = np.random.default_rng(cfg["seed"]).permutation(n)
    parts = {"train": order[: int(0.75 * n)], "test": order[int(0.75 * n):]}
    enc = TableEncoder().fit(table, parts["train"])

    sets = {}
    for name, idx in parts.items():
        cat, num = enc.transform(table, idx)
        sets[name] = TensorDataset(
            torch.from_numpy(cat), torch.from_numpy(num),
            torch.tensor(np.log(table["exposure"][idx]), dtype=torch.float32),
            torch.tensor(table["claims"][idx], dtype=torch.float32))

    dims = [cfg["emb"][c] for c in CATEGORICAL]
    model = FrequencyNet(enc.sizes(), dims, 6, cfg["hidden"], cfg["dropout"])
    opt = torch.optim.AdamW(model.parameters(), lr=cfg["lr"], weight_decay=cfg["weight_decay"])
    loader = DataLoader(sets["train"], batch_size=cfg["batch_size"], shuffle=True)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, cfg["epochs"] * len(loader), eta_min=1e-5)
    # claim counts are Poisson with log link, the log of the exposure is a fixed offset
    criterion = nn.PoissonNLLLoss(log_input=True)

    for epoch in range(cfg["epochs"]):
        model.train()
        total = 0.0
        for cat, num, off, y in loader:
            opt.zero_grad()
            loss = criterion(model(cat, num) + off, y)
            loss.backward()
            opt.step()
            sched.step()
            total += loss.item() * len(y)
        model.eval()
        with torch.no_grad():
            dev = {}
            for name, ds in sets.items():
                cat, num, off, y = ds.tensors
                dev[name] = deviance(y, torch.exp(model(cat, num) + off))
        print(f"epoch {epoch + 1:2d}  nll {total / len(sets['train']):.4f}  "
              f"deviance train {dev['train']:.4f}  test {dev['test']:.4f}")

    ytr, otr = sets["train"].tensors[3], sets["train"].tensors[2].exp()
    yte, ote = sets["test"].tensors[3], sets["test"].tensors[2].exp()
    print(f"portfolio-average tariff, test deviance {deviance(yte, ote * ytr.sum() / otr.sum()):.4f}")


if __name__ == "__main__":
    main()
