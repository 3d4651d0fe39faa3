import json
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits

TEMPERATURE = 3.0
HARD_WEIGHT = 0.2
UNLABELLED = -1


def teacher_net():
    net = nn.Sequential(
        nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(),
        nn.Conv2d(16, 24, 3, stride=2, padding=1), nn.ReLU(),
        nn.Flatten(), nn.Dropout(0.3), nn.Linear(24 * 16, 10),
    )
    net.load_state_dict(torch.load("teacher.pt", weights_only=True))
    return net.eval().requires_grad_(False)


class Student(nn.Module):
    def __init__(self, hidden=32):
        super().__init__()
        self.inp = nn.Linear(64, hidden)
        self.out = nn.Linear(hidden, 10)

    def forward(self, img):
        return self.out(F.leaky_relu(self.inp(img.flatten(1)), 0.1))


class Distiller(nn.Module):
    def __init__(self, teacher, student):
        super().__init__()
        self.teacher = teacher
        self.student = student

    def train(self, mode=True):
        super().train(mode)
        self.teacher.eval()
        return self

    def forward(self, img, target):
        with torch.no_grad():
            soft = F.log_softmax(self.teacher(img) / TEMPERATURE, dim=1)
        z = self.student(img)
        match = F.kl_div(F.log_softmax(z / TEMPERATURE, dim=1), soft, log_target=True, reduction="batchmean")
        known = target != UNLABELLED
        hard = F.cross_entropy(z, target, ignore_index=UNLABELLED, reduction="sum") / max(int(known.sum()), 1)
        return TEMPERATURE ** 2 * match + HARD_WEIGHT * hard, z


def main():
    torch.manual_seed(7)
    digits = load_digits()
    img = torch.tensor(digits.images, dtype=torch.float32)[:, None] / 16
    truth = torch.tensor(digits.target)
    with open("split.json") as fh:
        split = json.load(fh)
    transfer, test = torch.tensor(split["transfer"]), torch.tensor(split["test"])
    target = torch.full_like(truth, UNLABELLED)
    target[split["annotated"]] = truth[split["annotated"]]

    system = Distiller(teacher_net(), Student())
    trainable = [p for p in system.parameters() if p.requires_grad]
    print(sum(p.numel() for p in trainable), "trainable of", sum(p.numel() for p in system.parameters()))
    opt = torch.optim.Adam(trainable, lr=5e-3)
    epochs, batch = 28, 48
    per_epoch = math.ceil(len(transfer) / batch)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, epochs * per_epoch)
    for ep in range(1, epochs + 1):
        system.train()
        seen = 0.0
        for part in transfer[torch.randperm(len(transfer))].split(batch):
            loss, _ = system(img[part], target[part])
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            seen += loss.item() * len(part)
        if ep % 4 == 0 or ep == 1:
            system.eval()
            with torch.no_grad():
                pred = system.student(img[test]).argmax(1)
                agree = (pred == system.teacher(img[test]).argmax(1)).float().mean()
            print(f"{ep:3d} distil {seen / len(transfer):.4f}  test acc {(pred == truth[test]).float().mean():.4f}  agree {agree:.4f}")
    print("teacher acc", round((system.teacher(img[test]).argmax(1) == truth[test]).float().mean().item(), 4))


if __name__ == "__main__":
    main()
