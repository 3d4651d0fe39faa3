from dataclasses import dataclass
from pathlib import Path

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from dataset import ScanDataset
from model import DigitNet

HERE = Path(__file__).resolve().parent


@dataclass
class Settings:
    epochs: int = 8
    batch_size: int = 64
    lr: float = 2e-3
    weight_decay: float = 1e-4
    seed: int = 11


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    loss, hits, n = 0.0, 0, 0
    for x, y in loader:
        out = model(x)
        loss += F.cross_entropy(out, y, reduction="sum").item()
        hits += (out.argmax(1) == y).sum().item()
        n += len(y)
    return loss / n, hits / n


def main(cfg=Settings()):
    torch.manual_seed(cfg.seed)
    torch.set_num_threads(1)
    train_set = ScanDataset(HERE / "data", "train")
    val_set = ScanDataset(HERE / "data", "val")
    train_loader = DataLoader(train_set, cfg.batch_size, shuffle=True)
    val_loader = DataLoader(val_set, 256)

    model = DigitNet()
    opt = torch.optim.AdamW(model.parameters(), lr=cfg.lr, weight_decay=cfg.weight_decay)
    for epoch in range(1, cfg.epochs + 1):
        model.train()
        running, n = 0.0, 0
        for x, y in train_loader:
            opt.zero_grad()
            loss = F.cross_entropy(model(x), y)
            loss.backward()
            opt.step()
            running += loss.item() * len(y)
            n += len(y)
        val_loss, val_acc = evaluate(model, val_loader)
        print(f"epoch {epoch:2d}  train loss {running / n:.4f}  val loss {val_loss:.4f}  val acc {val_acc:.3f}")
    torch.save(model.state_dict(), HERE / "digitnet.pt")


if __name__ == "__main__":
    main()
