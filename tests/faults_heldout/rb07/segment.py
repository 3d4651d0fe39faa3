import random

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

from unet import SmallUNet


class Cells(Dataset):
    def __init__(self, images, masks, mean, std, augment):
        self.images = torch.from_numpy((images.astype(np.float32) - mean) / std).unsqueeze(1)
        self.masks = torch.from_numpy(masks.astype(np.float32)).unsqueeze(1)
        self.augment = augment

    def __len__(self):
        return len(self.images)

    def __getitem__(self, i):
        image, mask = self.images[i], self.masks[i]
        if self.augment:
            k = random.randrange(4)
            image, mask = torch.rot90(image, k, (1, 2)), torch.rot90(mask, k, (1, 2))
            if random.random() < 0.5:
                image, mask = image.flip(2), mask.flip(2)
        return image, mask


def soft_dice(logits, mask, eps=1.0):
    p = torch.sigmoid(logits).flatten(1)
    t = mask.flatten(1)
    return (1 - (2 * (p * t).sum(1) + eps) / (p.sum(1) + t.sum(1) + eps)).mean()


class Trainer:
    def __init__(self, model, train_loader, valid_loader, epochs, lr):
        self.model, self.train_loader, self.valid_loader, self.epochs = model, train_loader, valid_loader, epochs
        self.bce = nn.BCEWithLogitsLoss()
        self.opt = torch.optim.AdamW(model.parameters(), lr=lr, weight_decay=1e-4)
        self.sched = torch.optim.lr_scheduler.CosineAnnealingLR(self.opt, epochs * len(train_loader))

    def loss(self, logits, mask):
        return self.bce(logits, mask) + 0.5 * soft_dice(logits, mask)

    def train_epoch(self):
        self.model.train()
        total = 0.0
        for image, mask in self.train_loader:
            self.opt.zero_grad(set_to_none=True)
            loss = self.loss(self.model(image), mask)
            loss.backward()
            self.opt.step()
            self.sched.step()
            total += loss.item() * len(image)
        return total / len(self.train_loader.dataset)

    @torch.no_grad()
    def validate(self):
        self.model.eval()
        total, inter, union = 0.0, 0.0, 0.0
        for image, mask in self.valid_loader:
            logits = self.model(image)
            total += self.loss(logits, mask).item() * len(image)
            hit = logits > 0
            inter += (hit & (mask > 0.5)).sum().item()
            union += (hit | (mask > 0.5)).sum().item()
        return total / len(self.valid_loader.dataset), inter / union

    def fit(self):
        for epoch in range(1, self.epochs + 1):
            train = self.train_epoch()
            valid, iou = self.validate()
            print(f"{epoch:02d} | train {train:.4f} | valid {valid:.4f} | IoU {iou:.3f}")


if __name__ == "__main__":
    torch.manual_seed(1)
    random.seed(1)
    raw = np.load("cells.npz")
    images, masks = raw["image"], np.unpackbits(raw["mask"], axis=-1)
    split = 500
    mean, std = float(images[:split].mean()), float(images[:split].std())
    train_set = Cells(images[:split], masks[:split], mean, std, augment=True)
    valid_set = Cells(images[split:], masks[split:], mean, std, augment=False)
    trainer = Trainer(
        SmallUNet(),
        DataLoader(train_set, batch_size=20, shuffle=True),
        DataLoader(valid_set, batch_size=70),
        epochs=14,
        lr=6e-3,
    )
    trainer.fit()
