import pathlib
import tomllib

import torch
from torch.nn.functional import cross_entropy
from torch.utils.data import DataLoader

from src.data import make_splits
from src.model import mlp

cfg = tomllib.loads((pathlib.Path(__file__).parent / "config.toml").read_text())


def evaluate(model, loader):
    model.eval()
    loss = hit = n = 0
    with torch.no_grad():
        for x, y in loader:
            out = model(x)
            loss += cross_entropy(out, y, reduction="sum").item()
            hit += (out.argmax(1) == y).sum().item()
            n += len(y)
    model.train()
    return loss / n, hit / n


def main():
    torch.manual_seed(cfg["data"]["seed"])
    train_set, val_set = make_splits(**cfg["data"])
    tcfg = cfg["train"]
    train_loader = DataLoader(train_set, tcfg["batch_size"], shuffle=True, num_workers=tcfg["num_workers"])
    val_loader = DataLoader(val_set, 1024)
    model = mlp(cfg["data"]["dim"], cfg["model"]["hidden"], cfg["data"]["n_classes"])
    opt = torch.optim.SGD(model.parameters(), lr=cfg["optim"]["lr"], momentum=cfg["optim"]["momentum"])
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, tcfg["epochs"])
    for epoch in range(tcfg["epochs"]):
        seen = total = 0
        for x, y in train_loader:
            loss = cross_entropy(model(x), y)
            opt.zero_grad(set_to_none=True)
            loss.backward()
            opt.step()
            total += loss.item() * len(y)
            seen += len(y)
        sched.step()
        vl, va = evaluate(model, val_loader)
        print(f"epoch {epoch:3d} | train {total / seen:.3f} | val {vl:.3f} | acc {va:.3f}")


if __name__ == "__main__":
    main()
