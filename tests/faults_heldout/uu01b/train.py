import os

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from postcodes.cells import Cells
from postcodes.reader import Reader

HERE = os.path.dirname(os.path.abspath(__file__))
SCANS = os.path.join(HERE, "scans")


@torch.no_grad()
def check(model, loader):
    model.eval()
    hits, loss, n = 0, 0.0, 0
    for x, y in loader:
        z = model(x)
        loss += F.cross_entropy(z, y, reduction="sum").item()
        hits += (z.argmax(1) == y).sum().item()
        n += len(y)
    return loss / n, hits / n


def main(epochs=20, lr=2e-3):
    torch.manual_seed(12)
    fit = DataLoader(Cells(SCANS, "fit", jitter=True), batch_size=64, shuffle=True)
    held = DataLoader(Cells(SCANS, "check"), batch_size=256)
    model = Reader()
    opt = torch.optim.AdamW(model.parameters(), lr=lr, weight_decay=1e-2)
    plan = torch.optim.lr_scheduler.CosineAnnealingLR(opt, epochs * len(fit))
    for epoch in range(1, epochs + 1):
        model.train()
        running, seen = 0.0, 0
        for x, y in fit:
            loss = F.cross_entropy(model(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            plan.step()
            running += loss.item() * len(y)
            seen += len(y)
        if epoch % 2 == 0 or epoch == 1:
            vloss, vacc = check(model, held)
            print(f"epoch {epoch:2d}  fit {running / seen:.4f}  check {vloss:.4f}  read right {vacc:.1%}")


if __name__ == "__main__":
    main()
