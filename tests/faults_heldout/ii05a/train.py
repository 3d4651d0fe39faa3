import argparse

import torch
from torch.utils.data import DataLoader

from beats import CLASSES, open_archive
from engine import BestKeeper, run_epoch, score
from resnet1d import ResNet1d

parser = argparse.ArgumentParser()
parser.add_argument("--archive", default="beats.npz")
parser.add_argument("--split", default="split.json")
parser.add_argument("--epochs", type=int, default=8)
parser.add_argument("--lr", type=float, default=2e-3)
parser.add_argument("--weight-decay", type=float, default=0.1)
args = parser.parse_args()

torch.manual_seed(2024)
sets = open_archive(args.archive, args.split)
loaders = {
    "train": DataLoader(sets["train"], batch_size=32, shuffle=True),
    "val": DataLoader(sets["val"], batch_size=128),
    "test": DataLoader(sets["test"], batch_size=128),
}
print(", ".join(f"{k}: {len(v)} beats" for k, v in sets.items()))

model = ResNet1d(classes=len(CLASSES))
optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=args.weight_decay)
schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, args.epochs)
best = BestKeeper()
for epoch in range(args.epochs):
    train_loss = run_epoch(model, loaders["train"], optimizer)
    schedule.step()
    val_loss, val_acc, val_recall = score(model, loaders["val"], len(CLASSES))
    best.offer(val_recall, epoch, model)
    print(f"{epoch:02d} train {train_loss:.4f} | val {val_loss:.4f} acc {val_acc:.3f} macro recall {val_recall:.3f}")

model.load_state_dict(best.weights)
loss, acc, recall = score(model, loaders["test"], len(CLASSES))
print(f"best epoch {best.epoch} (val recall {best.score:.3f}); test loss {loss:.4f} acc {acc:.3f} macro recall {recall:.3f}")
