import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from cellseg.data import load
from cellseg.ema import Ema
from cellseg.net import SmallUNet


def dice_loss(logits, mask, eps=1.0):
    p = logits.sigmoid().flatten(1)
    m = mask.flatten(1)
    return (1 - (2 * (p * m).sum(1) + eps) / (p.sum(1) + m.sum(1) + eps)).mean()


def criterion(logits, mask):
    return F.binary_cross_entropy_with_logits(logits, mask) + dice_loss(logits, mask)


@torch.no_grad()
def score(model, loader):
    model.eval()
    inter = union = 0.0
    loss, n = 0.0, 0
    for x, m in loader:
        out = model(x)
        loss += criterion(out, m).item() * len(x)
        n += len(x)
        hard = out > 0
        inter += (hard & (m > 0.5)).sum().item()
        union += (hard | (m > 0.5)).sum().item()
    return loss / n, inter / union


if __name__ == "__main__":
    torch.manual_seed(40)
    train_set, val_set = load("fields.npz")
    train_loader = DataLoader(train_set, batch_size=14, shuffle=True)
    val_loader = DataLoader(val_set, batch_size=40)
    model = SmallUNet()
    ema = Ema(model)
    epochs = 18
    opt = torch.optim.Adam(model.parameters(), lr=4e-3)
    for epoch in range(epochs):
        model.train()
        total = 0.0
        for x, m in train_loader:
            loss = criterion(model(x), m)
            opt.zero_grad()
            loss.backward()
            opt.step()
            ema.update(model)
            total += loss.item() * len(x)
        raw, avg = score(model, val_loader), score(ema.model, val_loader)
        print(f"{epoch + 1:2d} train {total / len(train_set):.4f}  val {raw[0]:.4f} iou {raw[1]:.4f}  averaged {avg[0]:.4f} iou {avg[1]:.4f}")
