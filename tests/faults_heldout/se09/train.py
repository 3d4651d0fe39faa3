import torch
from torch.utils.data import DataLoader

from cellseg.data import CellCrops
from cellseg.losses import IoU, seg_loss
from cellseg.unet import UNet


def validate(model, loader):
    model.eval()
    iou, total, n = IoU(), 0.0, 0
    with torch.inference_mode():
        for image, mask in loader:
            logits = model(image)
            total += seg_loss(logits, mask).item() * len(image)
            n += len(image)
            iou.update(logits, mask)
    return total / n, iou.value()


def main():
    torch.manual_seed(42)
    train_set = CellCrops(640, seed=100, flip=True)
    mean, std = train_set.images.mean(), train_set.images.std()
    train_set.normalise(mean, std)
    val_set = CellCrops(160, seed=200).normalise(mean, std)
    train_loader = DataLoader(train_set, batch_size=16, shuffle=True, drop_last=True)
    val_loader = DataLoader(val_set, batch_size=80)
    print(f"foreground share: train {train_set.masks.mean():.3f} val {val_set.masks.mean():.3f}")

    epochs = 8
    model = UNet()
    opt = torch.optim.AdamW(model.parameters(), lr=4e-3, weight_decay=1e-3)
    sched = torch.optim.lr_scheduler.PolynomialLR(opt, total_iters=epochs * len(train_loader), power=1.0)
    for epoch in range(epochs):
        model.train()
        meter = 0.0
        for image, mask in train_loader:
            loss = seg_loss(model(image), mask)
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            meter += loss.item()
        val_loss, iou = validate(model, val_loader)
        print(f"epoch {epoch}: train {meter / len(train_loader):.4f}  val {val_loss:.4f}  IoU {iou:.4f}")


if __name__ == "__main__":
    main()
