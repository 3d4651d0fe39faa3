from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
import yaml
from sklearn.metrics import roc_auc_score

from recsys.data import load_interactions
from recsys.model import NeuralCF
from recsys.optim import build_optimizer

BASE = Path(__file__).resolve().parent


def validate(model, loader):
    model.eval()
    scores, labels = [], []
    with torch.no_grad():
        for u, i, y in loader:
            scores.append(model(u, i))
            labels.append(y)
    s, y = torch.cat(scores), torch.cat(labels)
    return F.binary_cross_entropy_with_logits(s, y).item(), roc_auc_score(y.numpy(), s.numpy())


def run(cfg):
    torch.manual_seed(cfg["seed"])
    d, t = cfg["data"], cfg["train"]
    train_loader, val_loader, n_users, n_items = load_interactions(
        BASE / d["path"], d["val_fraction"], d["batch_size"], cfg["seed"]
    )
    model = NeuralCF(n_users, n_items, **cfg["model"])
    optimizer = build_optimizer(model, t["lr"], t["weight_decay"])
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=t["epochs"])
    print(f"users={n_users} items={n_items} params={sum(p.numel() for p in model.parameters())}")

    for epoch in range(t["epochs"]):
        model.train()
        losses = []
        for u, i, y in train_loader:
            loss = F.binary_cross_entropy_with_logits(model(u, i), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        scheduler.step()
        val_loss, auc = validate(model, val_loader)
        print(f"epoch {epoch + 1}: train_loss={np.mean(losses):.4f} val_loss={val_loss:.4f} val_auc={auc:.4f}")


if __name__ == "__main__":
    run(yaml.safe_load((BASE / "config.yaml").read_text()))
