import json
from pathlib import Path

import torch
import torch.nn.functional as F

from logs_clf import SessionClassifier, batches, load_split
from logs_clf.model import select_parameters

HERE = Path(__file__).parent


@torch.no_grad()
def evaluate(model, x, y):
    model.eval()
    logits = model(x)
    model.train()
    return F.cross_entropy(logits, y).item(), (logits.argmax(1) == y).float().mean().item()


def main():
    cfg = json.loads((HERE / "config.json").read_text())
    torch.manual_seed(5)
    gen = torch.Generator().manual_seed(6)
    (xt, yt), (xv, yv) = load_split(HERE / cfg["data"])
    model = SessionClassifier(cfg["vocab"], cfg["embed_dim"], cfg["hidden"], cfg["n_classes"])
    params = select_parameters(model, cfg["tune"])
    opt = torch.optim.AdamW(params, lr=cfg["lr"], weight_decay=1e-4)
    for epoch in range(1, cfg["epochs"] + 1):
        total = 0.0
        for xb, yb in batches(xt, yt, cfg["batch_size"], gen):
            loss = F.cross_entropy(model(xb), yb)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(xb)
        vl, va = evaluate(model, xv, yv)
        print(f"epoch {epoch:2d}  train {total / len(xt):.4f}  val {vl:.4f}  val_acc {va:.3f}")


if __name__ == "__main__":
    main()
