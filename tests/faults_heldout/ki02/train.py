import argparse

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader, Dataset

from model import DigitNet


class Digits(Dataset):
    def __init__(self, images, labels, augment):
        self.x = torch.tensor(images / 16.0, dtype=torch.float32).unsqueeze(1)
        self.x = (self.x - 0.305) / 0.376
        self.y = torch.tensor(labels)
        self.augment = augment

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        img = self.x[i]
        if self.augment:
            dx = int(torch.randint(-1, 2, ()))
            img = torch.roll(F.pad(img, (1, 1, 0, 0), value=-0.811), dx, dims=2)[:, :, 1:-1]
            img = img + 0.1 * torch.randn_like(img)
        return img, self.y[i]


def accuracy(model, loader):
    model.eval()
    good = total = 0
    with torch.no_grad():
        for x, y in loader:
            good += (model(x).argmax(1) == y).sum().item()
            total += len(y)
    return good / total


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=10)
    ap.add_argument("--lr", type=float, default=2e-3)
    ap.add_argument("--bs", type=int, default=64)
    a = ap.parse_args()
    torch.manual_seed(0)
    d = load_digits()
    order = torch.randperm(len(d.target)).numpy()
    tr, va = order[:1400], order[1400:]
    train = DataLoader(Digits(d.images[tr], d.target[tr], True), a.bs, shuffle=True, drop_last=True)
    train_clean = DataLoader(Digits(d.images[tr], d.target[tr], False), 256)
    valid = DataLoader(Digits(d.images[va], d.target[va], False), 256)
    model = DigitNet()
    opt = torch.optim.AdamW(model.parameters(), lr=a.lr, weight_decay=0.01)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, a.epochs * len(train))
    for ep in range(a.epochs):
        model.train()
        run = 0.0
        for x, y in train:
            opt.zero_grad(set_to_none=True)
            loss = F.cross_entropy(model(x), y, label_smoothing=0.05)
            loss.backward()
            opt.step()
            sched.step()
            run += loss.item()
        print(f"epoch {ep}: loss {run / len(train):.4f}  acc train {accuracy(model, train_clean):.4f}  valid {accuracy(model, valid):.4f}")


if __name__ == "__main__":
    main()
