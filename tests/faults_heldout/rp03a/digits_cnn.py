import csv

import numpy as np
import torch
import torch.nn as nn


class MeterDigits(torch.utils.data.Dataset):
    """8x8 crops of counter digits (0..16 grey levels) with the labels of the annotation sheet."""

    def __init__(self, npz, sheet=None, jitter=False):
        z = np.load(npz)
        self.images = torch.from_numpy(z["images"].astype(np.float32) / 16.0)
        if sheet is None:
            self.labels = torch.from_numpy(z["labels"].astype(np.int64))
        else:
            with open(sheet, newline="") as fh:
                self.labels = torch.tensor([int(r["digit"]) for r in csv.DictReader(fh)])
        self.jitter = jitter

    def __len__(self):
        return len(self.images)

    def __getitem__(self, k):
        img = self.images[k]
        if self.jitter:
            dy, dx = np.random.randint(-1, 2, size=2)
            img = torch.roll(img, (int(dy), int(dx)), (0, 1))
        return img[None], self.labels[k]


def block(cin, cout):
    return nn.Sequential(nn.Conv2d(cin, cout, 3, padding=1, bias=False), nn.BatchNorm2d(cout), nn.ReLU())


net_def = lambda: nn.Sequential(
    block(1, 16), block(16, 24), nn.MaxPool2d(2), block(24, 32), nn.AdaptiveAvgPool2d(2), nn.Flatten(),
    nn.Linear(128, 10),
)

if __name__ == "__main__":
    torch.manual_seed(21)
    np.random.seed(21)
    fit = MeterDigits("train_images.npz", "train_labels.csv", jitter=True)
    check = MeterDigits("holdout.npz")
    fit_dl = torch.utils.data.DataLoader(fit, 40, shuffle=True, drop_last=True)
    check_dl = torch.utils.data.DataLoader(check, 200)

    net = net_def()
    sgd = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9, weight_decay=5e-4, nesterov=True)
    epochs = 12
    sched = torch.optim.lr_scheduler.OneCycleLR(sgd, max_lr=0.08, total_steps=epochs * len(fit_dl))
    ce = nn.CrossEntropyLoss()

    for ep in range(1, epochs + 1):
        net.train()
        running = []
        for img, lab in fit_dl:
            sgd.zero_grad(set_to_none=True)
            loss = ce(net(img), lab)
            loss.backward()
            sgd.step()
            sched.step()
            running.append(loss.item())
        net.eval()
        with torch.no_grad():
            outs = [(net(img), lab) for img, lab in check_dl]
        logits = torch.cat([o for o, _ in outs])
        truth = torch.cat([t for _, t in outs])
        print(f"{ep:02d}  fit {np.mean(running):.3f}  holdout {ce(logits, truth).item():.3f}"
              f"  acc {(logits.argmax(1) == truth).float().mean().item():.3f}")
