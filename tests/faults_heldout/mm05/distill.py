import argparse
import math

import torch
import torch.nn as nn
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

ap = argparse.ArgumentParser(description="large net -> small net on digits, 250 labels, rest unlabelled")
ap.add_argument("--T", type=float, default=3.0)
ap.add_argument("--alpha", type=float, default=0.7)
ap.add_argument("--labels", type=int, default=250)
ap.add_argument("--teacher-epochs", type=int, default=40)
ap.add_argument("--student-epochs", type=int, default=40)
args = ap.parse_args()
torch.manual_seed(17)

X, y = load_digits(return_X_y=True)
Xtr, Xte, ytr, yte = train_test_split(X, y, test_size=0.3, stratify=y, random_state=9)
m, s = Xtr.mean(), Xtr.std()
Xtr, Xte = [torch.tensor((a - m) / s, dtype=torch.float32) for a in (Xtr, Xte)]
ytr, yte = torch.tensor(ytr), torch.tensor(yte)
Xl, yl = Xtr[:args.labels], ytr[:args.labels]


def image(x):
    return x.view(-1, 1, 8, 8)


class Teacher(nn.Module):
    def __init__(self):
        super().__init__()
        self.f = nn.Sequential(
            nn.Conv2d(1, 32, 3, padding=1), nn.BatchNorm2d(32), nn.GELU(),
            nn.Conv2d(32, 48, 3, padding=1), nn.BatchNorm2d(48), nn.GELU(), nn.MaxPool2d(2),
            nn.Conv2d(48, 64, 3, padding=1), nn.BatchNorm2d(64), nn.GELU(),
            nn.Flatten(), nn.Dropout(0.4), nn.Linear(64 * 16, 10))

    def forward(self, x):
        return self.f(image(x))


class Student(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(64, 32)
        self.b = nn.Linear(32, 10)

    def forward(self, x):
        return self.b(torch.tanh(self.a(x)))


def log_softmax(z):
    z = z - z.max(1, keepdim=True).values
    return z - z.exp().sum(1, keepdim=True).log()


def hard_loss(z, y):
    return -log_softmax(z)[torch.arange(len(y)), y].mean()


def soft_loss(zs, zt, T):
    """T^2 * KL(teacher || student) at temperature T, mean over the batch."""
    lt, ls = log_softmax(zt / T), log_softmax(zs / T)
    return T * T * (lt.exp() * (lt - ls)).sum(1).mean()


def accuracy(net, x, y):
    was = net.training
    net.eval()
    with torch.no_grad():
        a = (net(x).argmax(1) == y).double().mean().item()
    net.train(was)
    return a


# ---- teacher on the labelled part
teacher = Teacher()
opt = torch.optim.SGD(teacher.parameters(), lr=0.05, momentum=0.9, nesterov=True, weight_decay=1e-4)
for ep in range(args.teacher_epochs):
    for g in opt.param_groups:
        g["lr"] = 0.025 * (1 + math.cos(math.pi * ep / args.teacher_epochs))
    tot = 0.0
    for b in torch.randperm(len(Xl)).split(50):
        x = image(Xl[b])
        dx = int(torch.randint(-1, 2, ()))
        x = torch.roll(x, dx, 3).flatten(1)       # outer columns are blank
        loss = hard_loss(teacher(x), yl[b])
        opt.zero_grad()
        loss.backward()
        opt.step()
        tot += loss.item() * len(b)
    if ep % 10 == 9:
        print(f"teacher {ep+1:3d} loss {tot/len(Xl):.4f} test {accuracy(teacher, Xte, yte):.4f}")

teacher.eval()
with torch.no_grad():
    soft = torch.cat([teacher(c) for c in Xtr.split(256)])
has_label = torch.arange(len(Xtr)) < args.labels


def fit_student(use_teacher):
    torch.manual_seed(1)
    net = Student()
    opt = torch.optim.Adam(net.parameters(), 3e-3)
    n = len(Xtr) if use_teacher else len(Xl)
    for ep in range(args.student_epochs if use_teacher else args.student_epochs * 2):
        tot = 0.0
        for b in torch.randperm(n).split(64):
            z = net(Xtr[b])
            if use_teacher:
                loss = args.alpha * soft_loss(z, soft[b], args.T)
                k = has_label[b]
                if k.any():
                    loss = loss + (1 - args.alpha) * hard_loss(z[k], ytr[b][k])
            else:
                loss = hard_loss(z, ytr[b])
            net.zero_grad()
            loss.backward()
            opt.step()
            tot += loss.item() * len(b)
        if ep % 10 == 9:
            print(f"student{'+T' if use_teacher else '  '} {ep+1:3d} loss {tot/n:.4f} test {accuracy(net, Xte, yte):.4f}")
    return net


plain = fit_student(False)
dist = fit_student(True)
print(f"test accuracy: teacher {accuracy(teacher, Xte, yte):.4f}  "
      f"student alone {accuracy(plain, Xte, yte):.4f}  distilled {accuracy(dist, Xte, yte):.4f}")
