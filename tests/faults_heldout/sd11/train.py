import json
import tempfile
import time
from pathlib import Path

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split

from signals import build
from telemetry import Telemetry

HERE = Path(__file__).resolve().parent


class FaultNet(nn.Module):
    def __init__(self, n_classes):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv1d(1, 16, 9, stride=2, padding=4), nn.BatchNorm1d(16), nn.ReLU(),
            nn.Conv1d(16, 32, 7, stride=2, padding=3), nn.BatchNorm1d(32), nn.ReLU(),
            nn.Conv1d(32, 32, 5, stride=2, padding=2), nn.BatchNorm1d(32), nn.ReLU(),
        )
        self.classifier = nn.Linear(64, n_classes)

    def forward(self, x):
        h = self.features(x)
        return self.classifier(torch.cat([h.mean(-1), h.amax(-1)], dim=1))


def accuracy(model, loader):
    model.eval()
    with torch.no_grad():
        hits = sum((model(x).argmax(1) == y).sum().item() for x, y in loader)
    return hits / len(loader.dataset)


def main():
    cfg = json.loads((HERE / "pump.json").read_text())
    torch.manual_seed(cfg["seed"])
    x, y = build(cfg["classes"], cfg["per_class"], cfg["window"], cfg["seed"])
    n_val = len(y) // 5
    train_set, val_set = random_split(TensorDataset(x, y), [len(y) - n_val, n_val])
    train_loader = DataLoader(train_set, batch_size=cfg["batch_size"], shuffle=True)
    val_loader = DataLoader(val_set, batch_size=120)

    model = FaultNet(len(cfg["classes"]))
    optimizer = torch.optim.AdamW(model.parameters(), lr=cfg["lr"], weight_decay=0.01)
    criterion = nn.CrossEntropyLoss()
    tele_cfg = cfg["telemetry"]
    telemetry = Telemetry(Path(tempfile.mkdtemp()) / tele_cfg["path"], tele_cfg["bins"], tele_cfg["range"])

    step = 0
    for epoch in range(1, cfg["epochs"] + 1):
        model.train()
        started, seen, total = time.perf_counter(), 0, 0.0
        for xb, yb in train_loader:
            optimizer.zero_grad()
            loss = criterion(model(xb), yb)
            loss.backward()
            telemetry.log(step, loss, model)
            optimizer.step()
            step += 1
            seen += len(yb)
            total += loss.item() * len(yb)
        speed = seen / (time.perf_counter() - started)
        print(f"epoch {epoch}  loss {total / seen:.4f}  val acc {accuracy(model, val_loader):.3f}  {speed:.0f} windows/s",
              flush=True)
    telemetry.close()


if __name__ == "__main__":
    main()
