import json
from pathlib import Path

import torch
from torch.utils.data import DataLoader

from gnn import GraphNet
from graphs import build

cfg = json.loads((Path(__file__).parent / "config.json").read_text())


def evaluate(model, dl):
    model.eval()
    ok = n = 0
    with torch.no_grad():
        for *graph, y in dl:
            ok += (model(*graph).argmax(1) == y).sum().item()
            n += len(y)
    return ok / n


def main():
    torch.manual_seed(cfg["seed"])
    train_set = build(cfg["data"]["train"], cfg["data"]["n_max"], seed=1)
    valid_set = build(cfg["data"]["valid"], cfg["data"]["n_max"], seed=2)
    train_dl = DataLoader(train_set, batch_size=cfg["batch_size"], shuffle=True)
    valid_dl = DataLoader(valid_set, batch_size=256)

    model = GraphNet(4, **cfg["model"], classes=2)
    optimizer = torch.optim.Adam(model.parameters(), lr=cfg["lr"])
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, **cfg["scheduler"])
    loss_fn = torch.nn.CrossEntropyLoss()

    for epoch in range(1, cfg["epochs"] + 1):
        model.train()
        total = 0.0
        for *graph, y in train_dl:
            optimizer.zero_grad()
            loss = loss_fn(model(*graph), y)
            loss.backward()
            optimizer.step()
            scheduler.step()
            total += loss.item() * len(y)
        if epoch % 3 == 0:
            print(f"{epoch:3d}  loss {total / len(train_set):.4f}  valid acc {evaluate(model, valid_dl):.4f}")


if __name__ == "__main__":
    main()
