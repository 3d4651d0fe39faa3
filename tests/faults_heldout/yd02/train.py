import configparser
import copy
import math
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits

ini = configparser.ConfigParser()
ini.read(Path(__file__).with_name("settings.ini"))
D, T, M = ini["data"], ini["train"], ini["teacher"]


def split(n_labelled, seed=0):
    digits = load_digits()
    x = torch.tensor(digits.images / 8.0 - 1.0, dtype=torch.float32).unsqueeze(1)
    y = torch.tensor(digits.target)
    order = np.random.default_rng(seed).permutation(len(y))
    test, pool = order[:400], order[400:]
    labelled = np.concatenate([pool[y[pool].numpy() == c][: n_labelled // 10] for c in range(10)])
    return (x[labelled], y[labelled]), x[pool], (x[test], y[test])


def perturb(x, noise):
    dx, dy = np.random.randint(-1, 2, 2)
    return torch.roll(x, (int(dx), int(dy)), (2, 3)) + noise * torch.randn_like(x)


class ConvNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(), nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(),
                                      nn.MaxPool2d(2), nn.Dropout(0.2), nn.Flatten())
        self.fc = nn.Sequential(nn.Linear(512, 64), nn.ReLU(), nn.Linear(64, 10))

    def forward(self, x):
        return self.fc(self.features(x))


class MeanTeacher:
    def __init__(self, student, decay):
        self.net = copy.deepcopy(student).requires_grad_(False)
        self.decay = decay

    @torch.no_grad()
    def update(self, student):
        for t, s in zip(self.net.parameters(), student.parameters()):
            t.mul_(self.decay).add_(s, alpha=1 - self.decay)

    @torch.no_grad()
    def predict(self, x):
        return self.net(x).softmax(1)


def accuracy(net, x, y):
    net.eval()
    with torch.no_grad():
        acc = (net(x).argmax(1) == y).float().mean().item()
    net.train()
    return acc


def main():
    torch.manual_seed(12)
    np.random.seed(12)
    (xl, yl), xu, (xt, yt) = split(D.getint("labelled"))
    student = ConvNet()
    teacher = MeanTeacher(student, M.getfloat("decay"))
    opt = torch.optim.Adam(student.parameters(), lr=T.getfloat("lr"))
    noise, steps = D.getfloat("noise"), T.getint("steps")
    for step in range(1, steps + 1):
        i = torch.randint(0, len(xl), (T.getint("batch_labelled"),))
        j = torch.randint(0, len(xu), (T.getint("batch_unlabelled"),))
        ce = F.cross_entropy(student(perturb(xl[i], noise)), yl[i])
        target = teacher.predict(perturb(xu[j], noise))
        agree = ((student(perturb(xu[j], noise)).softmax(1) - target) ** 2).sum(1).mean()
        ramp = math.exp(-5 * (1 - min(1.0, step / M.getfloat("ramp_steps"))) ** 2)
        loss = ce + M.getfloat("consistency") * ramp * agree
        opt.zero_grad()
        loss.backward()
        opt.step()
        teacher.update(student)
        if step % 70 == 0:
            print(f"step {step:4d} ce {ce.item():.3f} consistency {agree.item():.4f} teacher test accuracy {accuracy(teacher.net, xt, yt):.3f}")


if __name__ == "__main__":
    main()
