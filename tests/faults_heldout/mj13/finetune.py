from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
import yaml
from torch.utils.data import DataLoader, TensorDataset

from model import Backbone, Classifier

ROOT = Path(__file__).parent


def unfreeze(model, prefixes):
    chosen = []
    for name, p in model.named_parameters():
        p.requires_grad_(name.startswith(tuple(prefixes)))
        if p.requires_grad:
            chosen.append(p)
    return chosen


def evaluate(model, loader):
    model.eval()
    loss = hits = n = 0
    with torch.no_grad():
        for x, y in loader:
            out = model(x)
            loss += F.cross_entropy(out, y, reduction="sum").item()
            hits += (out.argmax(1) == y).sum().item()
            n += len(y)
    return loss / n, hits / n


def main():
    cfg = yaml.safe_load((ROOT / "finetune.yaml").read_text())
    torch.manual_seed(cfg["seed"])
    z = np.load(ROOT / cfg["data"])
    x = torch.from_numpy(z["x"]).float().div(16).unsqueeze(1)
    y = torch.from_numpy(z["y"]).long() - 5
    n = cfg["n_train"]
    train = DataLoader(TensorDataset(x[:n], y[:n]), cfg["batch_size"], shuffle=True)
    test = DataLoader(TensorDataset(x[n:], y[n:]), 200)

    backbone = Backbone()
    backbone.load_state_dict(torch.load(ROOT / cfg["checkpoint"]))
    model = Classifier(backbone, 5)

    for stage in cfg["stages"]:
        params = unfreeze(model, stage["unfreeze"])
        opt = torch.optim.Adam(params, lr=stage["lr"])
        print(f"stage {stage['name']}: {sum(p.numel() for p in params)} parameters")
        for epoch in range(stage["epochs"]):
            model.train()
            model.backbone.eval()  # keep the statistics of the pretraining data
            total = 0.0
            for xb, yb in train:
                loss = F.cross_entropy(model(xb), yb)
                opt.zero_grad()
                loss.backward()
                opt.step()
                total += loss.item() * len(yb)
            vl, va = evaluate(model, test)
            print(f"  epoch {epoch + 1} train {total / n:.4f} test {vl:.4f} acc {va:.4f}")


if __name__ == "__main__":
    main()
