import json
from pathlib import Path

import torch
from torch import nn
from torch.utils.data import DataLoader

from bioacoustics import CallDataset, CallNet, build, load_calls

root = Path(__file__).parent


def evaluate(net, loader, criterion):
    net.eval()
    loss, n, pred, true = 0.0, 0, [], []
    with torch.no_grad():
        for w, y in loader:
            out = net(w)
            loss += criterion(out, y).item() * len(y)
            n += len(y)
            pred.append(out.argmax(1))
            true.append(y)
    return loss / n, torch.cat(pred), torch.cat(true)


if __name__ == "__main__":
    conf = json.loads((root / "pipeline.json").read_text())
    torch.manual_seed(conf["seed"])
    wave, label, names = load_calls(root / conf["dataset"])
    k = conf["holdout"]
    fit = conf["fit"]
    train = DataLoader(CallDataset(wave[k:], label[k:], build(conf["augment"])), batch_size=fit["batch"], shuffle=True)
    held = DataLoader(CallDataset(wave[:k], label[:k]), batch_size=125)

    net = CallNet(len(names), **conf["net"])
    criterion = nn.CrossEntropyLoss()
    opt = torch.optim.AdamW(net.parameters(), lr=fit["lr"], weight_decay=fit["weight_decay"])
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, fit["lr"], epochs=fit["epochs"], steps_per_epoch=len(train))
    for epoch in range(fit["epochs"]):
        net.train()
        total, right, seen = 0.0, 0, 0
        for w, y in train:
            opt.zero_grad()
            out = net(w)
            loss = criterion(out, y)
            loss.backward()
            opt.step()
            sched.step()
            total += loss.item() * len(y)
            right += (out.argmax(1) == y).sum().item()
            seen += len(y)
        hl, pred, true = evaluate(net, held, criterion)
        print(f"epoch {epoch + 1:2d}  train {total / seen:.3f}/{right / seen:.3f}  held-out {hl:.3f}/{(pred == true).float().mean():.3f}")
    for i, name in enumerate(names):
        m = true == i
        print(f"  {name:16s} recall {(pred[m] == i).float().mean():.2f}  (n={int(m.sum())})")
