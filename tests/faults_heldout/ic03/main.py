import json
import sys

import torch
from torch.nn import functional as F
from torch.utils.data import DataLoader

from recsys.data import read_plays, split
from recsys.fm import FactorizationMachine


def rmse(model, loader):
    model.eval()
    se, n = 0.0, 0
    with torch.no_grad():
        for fields, score in loader:
            se += F.mse_loss(model(fields), score, reduction="sum").item()
            n += len(score)
    return (se / n) ** 0.5


def main(cfg):
    torch.manual_seed(cfg["seed"])
    ds, sizes = read_plays(cfg["data"])
    train, test = split(ds)
    train_loader = DataLoader(train, batch_size=cfg["batch"], shuffle=True)
    test_loader = DataLoader(test, batch_size=1024)
    model = FactorizationMachine(sizes, k=cfg["factors"])
    opt = torch.optim.AdamW(model.parameters(), lr=cfg["lr"], weight_decay=cfg["weight_decay"])
    base = torch.stack([s for _, s in train]).std().item()
    print(f"{len(train)} plays, fields {sizes}, std of score {base:.3f}")
    for epoch in range(cfg["epochs"]):
        model.train()
        for fields, score in train_loader:
            opt.zero_grad()
            loss = F.mse_loss(model(fields), score)
            loss.backward()
            opt.step()
        print(f"{epoch:02d} train rmse {rmse(model, train_loader):.4f} test rmse {rmse(model, test_loader):.4f}")


if __name__ == "__main__":
    main(json.load(open(sys.argv[1] if len(sys.argv) > 1 else "config.json")))
