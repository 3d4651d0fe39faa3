import json

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from data import splits
from net import SmallConvNet

cfg = json.load(open("settings.json"))


def evaluate(model, loader):
    model.eval()
    loss, hits, n = 0.0, 0, 0
    with torch.no_grad():
        for x, y in loader:
            out = model(x)
            loss += F.cross_entropy(out, y, reduction="sum").item()
            hits += (out.argmax(1) == y).sum().item()
            n += len(y)
    return loss / n, hits / n


def main():
    torch.manual_seed(cfg["seed"])
    train_set, test_set = splits(cfg["shift"], cfg["seed"])
    train_loader = DataLoader(train_set, batch_size=cfg["batch_size"], shuffle=True, drop_last=True)
    test_loader = DataLoader(test_set, batch_size=256)

    model = SmallConvNet()
    optimizer = torch.optim.SGD(model.parameters(), lr=cfg["lr"], momentum=cfg["momentum"],
                                weight_decay=cfg["weight_decay"], nesterov=True)
    steps = cfg["epochs"] * len(train_loader)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=steps)

    for epoch in range(cfg["epochs"]):
        model.train()
        running = 0.0
        for x, y in train_loader:
            optimizer.zero_grad(set_to_none=True)
            loss = F.cross_entropy(model(x), y)
            loss.backward()
            optimizer.step()
            scheduler.step()
            running += loss.item()
        test_loss, acc = evaluate(model, test_loader)
        print(f"[{epoch + 1:02d}] train {running / len(train_loader):.4f}  test {test_loss:.4f}  acc {acc:.4f}")


if __name__ == "__main__":
    main()
