import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split

from config import Config
from unet import TinyUNet


def iou(conf_mat):
    inter = conf_mat.diag().float()
    union = conf_mat.sum(0) + conf_mat.sum(1) - conf_mat.diag()
    return inter / union.clamp(min=1).float()


@torch.no_grad()
def validate(model, loader, classes):
    model.eval()
    m = torch.zeros(classes, classes, dtype=torch.long)
    for x, y in loader:
        p = model(x).argmax(1)
        m += torch.bincount((y * classes + p).flatten(), minlength=classes ** 2).view(classes, classes)
    return iou(m)


def run(cfg):
    torch.manual_seed(cfg.seed)
    z = np.load(cfg.data)
    images = torch.from_numpy(z["images"]).float().div(255).sub(0.5).div(0.25).unsqueeze(1)
    masks = torch.from_numpy(z["masks"]).long()
    full = TensorDataset(images, masks)
    n_val = len(full) // 5
    train_set, val_set = random_split(full, [len(full) - n_val, n_val])
    train_dl = DataLoader(train_set, batch_size=cfg.batch, shuffle=True)
    val_dl = DataLoader(val_set, batch_size=64)

    model = TinyUNet(cfg.classes, cfg.width)
    criterion = nn.CrossEntropyLoss(weight=torch.tensor(cfg.loss_weights), reduction=cfg.loss_reduction)
    opt = torch.optim.SGD(model.parameters(), lr=cfg.optim.lr, momentum=cfg.optim.momentum,
                          weight_decay=cfg.optim.weight_decay)

    for epoch in range(cfg.epochs):
        model.train()
        losses = []
        for x, y in train_dl:
            loss = criterion(model(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            losses.append(loss.item())
        scores = validate(model, val_dl, cfg.classes)
        per = " ".join(f"{s:.2f}" for s in scores)
        print(f"[{epoch + 1}/{cfg.epochs}] loss={np.mean(losses):.4f} mIoU={scores.mean():.3f} ({per})")


if __name__ == "__main__":
    run(Config())
