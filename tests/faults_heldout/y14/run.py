import sys
from pathlib import Path

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

ROOT = Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT))
from seg import CellSet, MiniUNet  # noqa: E402


def dice_loss(logits, m):
    p = logits.sigmoid()
    num = 2 * (p * m).sum((1, 2, 3)) + 1
    den = p.sum((1, 2, 3)) + m.sum((1, 2, 3)) + 1
    return (1 - num / den).mean()


def criterion(logits, m):
    return F.binary_cross_entropy_with_logits(logits, m) + dice_loss(logits, m)


@torch.no_grad()
def evaluate(net, dl):
    net.eval()
    loss = inter = union = n = 0
    for x, m in dl:
        logits = net(x)
        loss += criterion(logits, m).item() * len(x)
        hat = logits > 0
        inter += (hat & (m > 0.5)).sum().item()
        union += (hat | (m > 0.5)).sum().item()
        n += len(x)
    return loss / n, inter / union


def main():
    torch.manual_seed(5)
    train = DataLoader(CellSet(ROOT / "train.npz", flip=True), batch_size=16, shuffle=True)
    valid = DataLoader(CellSet(ROOT / "valid.npz"), batch_size=40)
    net = MiniUNet()
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=5e-3, epochs=8, steps_per_epoch=len(train))
    for epoch in range(8):
        net.train()
        tot = 0.0
        for x, m in train:
            loss = criterion(net(x), m)
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            tot += loss.item()
        vl, iou = evaluate(net, valid)
        print(f"epoch {epoch} train {tot / len(train):.4f} valid {vl:.4f} IoU {iou:.4f}", flush=True)


if __name__ == "__main__":
    main()
