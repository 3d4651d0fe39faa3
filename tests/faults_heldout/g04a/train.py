import argparse
import json
from pathlib import Path

import torch
from torch import nn
from torch.utils.data import DataLoader

from data import class_weights, load

HERE = Path(__file__).resolve().parent
STATES = ["ok", "wear", "fault"]


def get_args():
    p = argparse.ArgumentParser(description="pump state classifier")
    p.add_argument("--config", default=str(HERE / "config.json"))
    p.add_argument("--data", default=str(HERE / "pumps.npz"))
    return p.parse_args()


class Net(nn.Module):
    def __init__(self, n_in, hidden, n_out, dropout):
        super().__init__()
        self.a = nn.Linear(n_in, hidden)
        self.b = nn.Linear(hidden, hidden)
        self.out = nn.Linear(hidden, n_out)
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        x = self.drop(torch.relu(self.a(x)))
        x = self.drop(torch.relu(self.b(x)))
        return self.out(x)


@torch.no_grad()
def report(model, loader):
    model.eval()
    table = torch.zeros(len(STATES), len(STATES))
    for x, y in loader:
        for t, p in zip(y.tolist(), model(x).argmax(1).tolist()):
            table[t, p] += 1
    recall = table.diag() / table.sum(1)
    precision = table.diag() / table.sum(0).clamp(min=1)
    f1 = 2 * recall * precision / (recall + precision).clamp(min=1e-9)
    return recall, table.diag().sum().item() / table.sum().item(), f1.mean().item()


def main():
    args = get_args()
    cfg = json.loads(Path(args.config).read_text())
    torch.manual_seed(cfg["seed"])
    train, val = load(args.data)
    weights = class_weights(train.tensors[1], cfg["class_weighting"], len(STATES))
    train_loader = DataLoader(train, batch_size=cfg["batch_size"], shuffle=True)
    val_loader = DataLoader(val, batch_size=512)
    model = Net(train.tensors[0].shape[1], cfg["hidden"], len(STATES), cfg["dropout"])
    optimizer = torch.optim.Adam(model.parameters(), lr=cfg["lr"], weight_decay=cfg["weight_decay"])
    criterion = nn.CrossEntropyLoss(weight=weights)

    for epoch in range(cfg["epochs"]):
        model.train()
        losses = []
        for x, y in train_loader:
            loss = criterion(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        recall, acc, f1 = report(model, val_loader)
        parts = " ".join(f"{s}={r:.2f}" for s, r in zip(STATES, recall.tolist()))
        print(f"[{epoch + 1}/{cfg['epochs']}] loss={sum(losses) / len(losses):.3f} acc={acc:.3f} "
              f"macro_recall={recall.mean():.3f} macro_f1={f1:.3f} recall: {parts}")


if __name__ == "__main__":
    main()
