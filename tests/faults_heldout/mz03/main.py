import pathlib

import torch
import yaml
from torch.utils.data import DataLoader

from cells import CellImages
from net import DiceBCELoss, IoU, UNet

cfg = yaml.safe_load((pathlib.Path(__file__).parent / "config.yaml").read_text())
torch.manual_seed(cfg["seed"])

train_set = CellImages(cfg["n_train"], cfg["size"], seed=100)
val_set = CellImages(cfg["n_val"], cfg["size"], seed=200)
train_loader = DataLoader(train_set, batch_size=cfg["batch_size"], shuffle=True)
val_loader = DataLoader(val_set, batch_size=20)
print(f"foreground share {train_set.masks.mean():.3f}")

model = UNet()
criterion = DiceBCELoss(cfg["dice_weight"])
metric = IoU()
optimizer = torch.optim.Adam(model.parameters(), lr=cfg["lr"])

scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, cfg["epochs"])

for epoch in range(1, cfg["epochs"] + 1):
    model.train()
    running = 0.0
    for image, mask in train_loader:
        # flips and quarter turns, the same for image and mask
        k = int(torch.randint(0, 4, ()))
        image, mask = image.rot90(k, (2, 3)), mask.rot90(k, (2, 3))
        if torch.rand(()) < 0.5:
            image, mask = image.flip(3), mask.flip(3)
        optimizer.zero_grad(set_to_none=True)
        loss = criterion(model(image), mask)
        loss.backward()
        optimizer.step()
        running += loss.item() * len(image)

    scheduler.step()

    model.eval()
    val = 0.0
    with torch.no_grad():
        for image, mask in val_loader:
            logits = model(image)
            val += criterion(logits, mask).item() * len(image)
            metric(logits, mask)
    print(f"epoch {epoch}  train {running / len(train_set):.4f}  val {val / len(val_set):.4f}  IoU {metric.compute():.3f}")
