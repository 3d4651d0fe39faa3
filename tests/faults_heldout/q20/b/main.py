import json
from pathlib import Path

import torch
import torch.nn.functional as F

from intents.data import loaders
from intents.model import IntentModel

HERE = Path(__file__).resolve().parent


def evaluate(model, loader):
    model.eval()
    loss = right = n = 0
    with torch.no_grad():
        for ids, y in loader:
            out = model(ids)
            loss += F.cross_entropy(out, y, reduction="sum").item()
            right += (out.argmax(1) == y).sum().item()
            n += len(y)
    model.train()
    return loss / n, right / n


def main():
    opts = json.loads((HERE / "train.json").read_text())
    torch.set_num_threads(1)
    torch.manual_seed(opts["seed"])
    train, dev, ds = loaders(HERE, opts)
    model = IntentModel(len(ds.vocab) + 2, len(ds.labels))
    opt = torch.optim.AdamW(model.parameters(), lr=opts["lr"], weight_decay=0.01)
    warm = torch.optim.lr_scheduler.LinearLR(opt, 0.1, 1.0, total_iters=40)
    for epoch in range(opts["epochs"]):
        total = 0.0
        for ids, y in train:
            loss = F.cross_entropy(model(ids), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            warm.step()
            total += loss.item()
        dl, da = evaluate(model, dev)
        print(f"epoch {epoch + 1} train {total / len(train):.4f} dev {dl:.4f} acc {da:.3f}")
    torch.save({"model": model.state_dict(), "vocab": ds.vocab, "labels": ds.labels}, HERE / "intents.pt")


if __name__ == "__main__":
    main()
