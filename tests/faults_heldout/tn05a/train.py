import sys
from pathlib import Path

import torch
import yaml
from torch import nn
from torch.utils.data import DataLoader

from dataset import load_pumps
from losses import make_criterion
from metrics import FindingF1


def build_mlp(n_in, hidden, n_out, dropout):
    layers = []
    for h in hidden:
        layers += [nn.Linear(n_in, h), nn.ReLU(), nn.Dropout(dropout)]
        n_in = h
    return nn.Sequential(*layers, nn.Linear(n_in, n_out))


@torch.no_grad()
def evaluate(model, loader, findings):
    model.eval()
    f1 = FindingF1(findings)
    for x, y in loader:
        f1.update(model(x), y)
    return f1


def main(config_path="config.yaml"):
    cfg = yaml.safe_load(Path(config_path).read_text())
    d, t = cfg["data"], cfg["training"]
    torch.manual_seed(t["seed"])
    train, val, test = load_pumps(d["file"], d["findings"], d["split"], t["seed"])
    train_dl = DataLoader(train, t["batch_size"], shuffle=True)
    val_dl, test_dl = DataLoader(val, 256), DataLoader(test, 256)

    model = build_mlp(train.tensors[0].shape[1], cfg["model"]["hidden"], len(d["findings"]), cfg["model"]["dropout"])
    criterion = make_criterion(t["criterion"])
    opt = torch.optim.AdamW(model.parameters(), lr=t["lr"], weight_decay=t["weight_decay"])
    print(f"{len(train)} pumps for training, findings per pump {train.tensors[1].sum(1).mean():.2f}")

    for epoch in range(1, t["epochs"] + 1):
        model.train()
        total = 0.0
        for x, y in train_dl:
            loss = criterion(model(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(x)
        if epoch % 3 == 0:
            f1 = evaluate(model, val_dl, d["findings"])
            print(f"epoch {epoch:3d}  loss {total / len(train):.4f}  val F1 micro {f1.micro():.3f} macro {f1.macro():.3f}")

    f1 = evaluate(model, test_dl, d["findings"])
    print("test: " + ", ".join(f"{n} {v:.2f}" for n, v in zip(d["findings"], f1.per_finding())))
    print(f"test F1 micro {f1.micro():.3f} macro {f1.macro():.3f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
