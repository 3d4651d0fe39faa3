import json

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from customers import load_tables
from network import ChurnNet


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    tp = fp = fn = tn = 0
    total = 0.0
    for x, y in loader:
        logit = model(x)
        total += F.binary_cross_entropy_with_logits(logit, y, reduction="sum").item()
        pred = logit > 0
        pos = y > 0.5
        tp += (pred & pos).sum().item()
        fp += (pred & ~pos).sum().item()
        fn += (~pred & pos).sum().item()
        tn += (~pred & ~pos).sum().item()
    n = tp + fp + fn + tn
    return {
        "loss": total / n,
        "acc": (tp + tn) / n,
        "recall": tp / max(1, tp + fn),
        "precision": tp / max(1, tp + fp),
    }


def main():
    cfg = json.load(open("config.json"))
    torch.manual_seed(cfg["seed"])
    train_set, hold_set = load_tables(cfg)
    loader = DataLoader(train_set, batch_size=cfg["batch_size"], shuffle=True)
    hold_loader = DataLoader(hold_set, batch_size=256)
    print(f"customers: {len(train_set)} train, {len(hold_set)} holdout")

    model = ChurnNet(train_set.tensors[0].shape[1], cfg["hidden"], cfg["dropout"])
    opt = torch.optim.AdamW(model.parameters(), lr=cfg["lr"], weight_decay=1e-3)
    for epoch in range(1, cfg["epochs"] + 1):
        model.train()
        running = 0.0
        for x, y in loader:
            loss = F.binary_cross_entropy_with_logits(model(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            running += loss.item() * len(x)
        m = evaluate(model, hold_loader)
        print(
            f"epoch {epoch:2d}  train {running / len(train_set):.4f}  holdout {m['loss']:.4f}  "
            f"acc {m['acc']:.3f}  recall {m['recall']:.3f}  precision {m['precision']:.3f}"
        )


if __name__ == "__main__":
    main()
