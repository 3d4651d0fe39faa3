import configparser
from pathlib import Path

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from networks import Student, Teacher

cfg = configparser.ConfigParser()
cfg.read(Path(__file__).parent / "settings.ini")
SEED = cfg.getint("general", "seed")
BATCH = cfg.getint("general", "batch_size")


def prepare():
    d = load_digits()
    x = torch.tensor(d.images, dtype=torch.float32)[:, None]
    y = torch.tensor(d.target)
    parts = train_test_split(x, y, test_size=cfg.getfloat("general", "test_fraction"), stratify=y, random_state=SEED)
    mean, std = parts[0].mean(), parts[0].std()
    return (parts[0] - mean) / std, (parts[1] - mean) / std, parts[2], parts[3]


def minibatches(x, y):
    for idx in torch.randperm(len(x)).split(BATCH):
        yield x[idx], y[idx]


@torch.no_grad()
def test(net, x, y):
    net.eval()
    out = net(x)
    return F.cross_entropy(out, y).item(), (out.argmax(1) == y).float().mean().item()


def train_teacher(x, y, xt, yt):
    net = Teacher()
    epochs = cfg.getint("teacher", "epochs")
    opt = torch.optim.Adam(net.parameters(), lr=cfg.getfloat("teacher", "lr"))
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, epochs)
    for epoch in range(epochs):
        net.train()
        for xb, yb in minibatches(x, y):
            opt.zero_grad()
            loss = F.cross_entropy(net(xb), yb)
            loss.backward()
            opt.step()
        sched.step()
        print("teacher epoch %d loss %.4f test loss %.4f acc %.4f" % (epoch, loss.item(), *test(net, xt, yt)))
    return net


def distill(teacher, x, y, xt, yt):
    teacher.eval()
    for p in teacher.parameters():
        p.requires_grad_(False)
    net = Student()
    T, alpha = cfg.getfloat("student", "temperature"), cfg.getfloat("student", "alpha")
    epochs = cfg.getint("student", "epochs")
    opt = torch.optim.Adam(net.parameters(), lr=cfg.getfloat("student", "lr"))
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, epochs)
    kl = nn.KLDivLoss(reduction="batchmean")
    for epoch in range(epochs):
        net.train()
        total = n = 0
        for xb, yb in minibatches(x, y):
            with torch.no_grad():
                soft = F.softmax(teacher(xb) / T, dim=1)
            out = net(xb)
            loss = alpha * T * T * kl(F.log_softmax(out / T, dim=1), soft) + (1 - alpha) * F.cross_entropy(out, yb)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(yb)
            n += len(yb)
        sched.step()
        if epoch % 3 == 2:
            print("student epoch %d loss %.4f test loss %.4f acc %.4f" % (epoch, total / n, *test(net, xt, yt)))
    return net


if __name__ == "__main__":
    torch.manual_seed(SEED)
    x, xt, y, yt = prepare()
    teacher = train_teacher(x, y, xt, yt)
    student = distill(teacher, x, y, xt, yt)
    print("params teacher %d student %d" % tuple(sum(p.numel() for p in m.parameters()) for m in (teacher, student)))
