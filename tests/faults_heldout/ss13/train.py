import json
from pathlib import Path

import torch
from torch.utils.data import DataLoader

from reports.corpus import Reports, bag
from reports.network import BagNet
from reports.scores import summary

root = Path(__file__).resolve().parent


def predict(model, loader):
    model.eval()
    with torch.no_grad():
        z, y = zip(*[(model(w, o), t) for w, o, t in loader])
    return torch.cat(z), torch.cat(y)


def main():
    cfg = json.loads((root / "config.json").read_text())
    torch.manual_seed(cfg["seed"])
    train = Reports(root / cfg["train"], cfg["labels"], cfg["rare"])
    dev = Reports(root / cfg["dev"], cfg["labels"])
    loader = DataLoader(train, cfg["batch_size"], shuffle=True, collate_fn=bag)
    dev_loader = DataLoader(dev, 300, collate_fn=bag)

    share = train.label_matrix().mean(0)
    weight = ((1 - share) / share) ** cfg["pos_weight_power"]
    criterion = torch.nn.BCEWithLogitsLoss(pos_weight=weight)
    print("label share", [round(v, 3) for v in share.tolist()])

    model = BagNet(cfg["vocab"], cfg["width"], len(cfg["labels"]), cfg["word_dropout"])
    opt = torch.optim.AdamW(model.parameters(), lr=cfg["lr"], weight_decay=cfg["weight_decay"])
    sched = torch.optim.lr_scheduler.LinearLR(opt, 1.0, 0.02, total_iters=cfg["epochs"] * len(loader))

    for epoch in range(1, cfg["epochs"] + 1):
        model.train()
        losses = []
        for words, offsets, y in loader:
            loss = criterion(model(words, offsets), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            losses.append(loss.item())
        z, y = predict(model, dev_loader)
        parts = "  ".join(f"{k} {v:.3f}" for k, v in summary(z, y).items())
        print(f"{epoch:2d}  train {sum(losses) / len(losses):.4f}  dev {criterion(z, y):.4f}  {parts}")


if __name__ == "__main__":
    main()
