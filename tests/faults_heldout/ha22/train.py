import random

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch.utils.data import DataLoader, Dataset

random.seed(40)
torch.manual_seed(40)


class RandomAffine:
    def __init__(self, degrees=12, shift=0.12, zoom=0.12):
        self.rad, self.shift, self.zoom = degrees * 3.14159 / 180, shift, zoom

    def __call__(self, img):
        a = random.uniform(-self.rad, self.rad)
        s = 1 + random.uniform(-self.zoom, self.zoom)
        c, d = torch.cos(torch.tensor(a)) * s, torch.sin(torch.tensor(a)) * s
        theta = torch.tensor([[c, -d, random.uniform(-self.shift, self.shift)], [d, c, random.uniform(-self.shift, self.shift)]])
        grid = F.affine_grid(theta.unsqueeze(0), [1, *img.shape], align_corners=False)
        return F.grid_sample(img.unsqueeze(0), grid, align_corners=False).squeeze(0)


class Cutout:
    def __init__(self, side=2, p=0.5):
        self.side, self.p = side, p

    def __call__(self, img):
        if random.random() < self.p:
            r, c = random.randint(0, 8 - self.side), random.randint(0, 8 - self.side)
            img = img.clone()
            img[:, r:r + self.side, c:c + self.side] = 0
        return img


class Scans(Dataset):
    def __init__(self, images, labels, transforms=()):
        self.images, self.labels, self.transforms = images, labels, transforms

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        img = self.images[i]
        for t in self.transforms:
            img = t(img)
        return img, self.labels[i]


def conv(i, o):
    return nn.Sequential(nn.Conv2d(i, o, 3, padding=1, bias=False), nn.BatchNorm2d(o), nn.ReLU(inplace=True))


images, labels = load_digits(return_X_y=True)
images = torch.tensor(images, dtype=torch.float32).view(-1, 1, 8, 8) / 16
labels = torch.tensor(labels)
fit, held = train_test_split(range(len(labels)), test_size=0.3, stratify=labels, random_state=40)
train_dl = DataLoader(Scans(images[fit], labels[fit], [RandomAffine(), Cutout()]), batch_size=64, shuffle=True)
held_dl = DataLoader(Scans(images[held], labels[held]), batch_size=300)

net = nn.Sequential(conv(1, 16), conv(16, 32), nn.MaxPool2d(2), conv(32, 48), nn.AdaptiveAvgPool2d(2), nn.Flatten(),
                    nn.Dropout(0.3), nn.Linear(192, 10))
epochs = 14
opt = torch.optim.SGD(net.parameters(), lr=0.02, momentum=0.9, nesterov=True, weight_decay=5e-4)
sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=0.2, total_steps=epochs * len(train_dl))
for epoch in range(epochs):
    net.train()
    loss_sum = correct = seen = 0
    for x, y in train_dl:
        out = net(x)
        loss = F.cross_entropy(out, y, label_smoothing=0.1)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        loss_sum += loss.item() * len(y)
        correct += (out.argmax(1) == y).sum().item()
        seen += len(y)
    net.eval()
    with torch.no_grad():
        good = sum((net(x).argmax(1) == y).sum().item() for x, y in held_dl)
    print(f"epoch {epoch + 1:2d} lr {sched.get_last_lr()[0]:.4f} loss {loss_sum / seen:.4f} train acc (augmented) {correct / seen:.4f} held-out acc {good / len(held):.4f}")
