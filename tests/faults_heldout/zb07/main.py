import copy
import json
from pathlib import Path

import torch
import torch.nn.functional as F

from gnn.graph import load
from gnn.model import GCN

ROOT = Path(__file__).resolve().parent


def accuracy(logits, y, mask):
    return (logits[mask].argmax(1) == y[mask]).float().mean().item()


def fit(cfg):
    torch.manual_seed(cfg["seed"])
    g = load(ROOT / cfg["graph"])
    print(f"{len(g.x)} nodes, {g.num_classes} classes, train/val/test "
          f"{int(g.train_mask.sum())}/{int(g.val_mask.sum())}/{int(g.test_mask.sum())}")
    model = GCN(g.x.shape[1], cfg["hidden"], g.num_classes, cfg["dropout"])
    opt = torch.optim.Adam([
        {"params": model.c1.parameters(), "weight_decay": cfg["weight_decay"]},
        {"params": model.c2.parameters(), "weight_decay": 0.0},
    ], lr=cfg["lr"])

    best, best_state, since = float("inf"), None, 0
    for epoch in range(cfg["max_epochs"]):
        model.train()
        opt.zero_grad()
        loss = F.cross_entropy(model(g.x, g.adj)[g.train_mask], g.y[g.train_mask])
        loss.backward()
        opt.step()

        model.eval()
        with torch.no_grad():
            logits = model(g.x, g.adj)
        val_loss = F.cross_entropy(logits[g.val_mask], g.y[g.val_mask]).item()
        if epoch % 20 == 0:
            print(f"epoch {epoch:3d}  train {loss.item():.4f}  val {val_loss:.4f}  "
                  f"val acc {accuracy(logits, g.y, g.val_mask):.3f}")
        if val_loss < best:
            best, best_state, since = val_loss, copy.deepcopy(model.state_dict()), 0
        else:
            since += 1
            if since >= cfg["patience"]:
                print(f"early stop at {epoch}")
                break

    model.load_state_dict(best_state)
    model.eval()
    with torch.no_grad():
        logits = model(g.x, g.adj)
    print(f"test accuracy {accuracy(logits, g.y, g.test_mask):.3f}")


if __name__ == "__main__":
    fit(json.loads((ROOT / "config.json").read_text()))
