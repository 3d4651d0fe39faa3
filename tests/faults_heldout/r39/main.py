import torch
from torch import nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split


def load():
    X, y = load_digits(return_X_y=True)
    a, b, ya, yb = train_test_split(X / 8.0 - 0.6, y, test_size=0.25, random_state=0, stratify=y)
    f = lambda v: torch.tensor(v, dtype=torch.float32)
    return f(a), torch.tensor(ya), f(b), torch.tensor(yb)


def teacher_net():
    return nn.Sequential(nn.Unflatten(1, (1, 8, 8)), nn.Conv2d(1, 24, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
                         nn.Conv2d(24, 48, 3, padding=1), nn.ReLU(), nn.Flatten(), nn.Dropout(0.3),
                         nn.Linear(768, 10))


def student_net():
    return nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10))


def accuracy(net, X, y):
    net.eval()
    with torch.no_grad():
        return (net(X).argmax(1) == y).float().mean().item()


def train_teacher(X, y, Xv, yv, epochs=12):
    net = teacher_net()
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    for e in range(epochs):
        net.train()
        for i in torch.randperm(len(X)).split(64):
            opt.zero_grad()
            F.cross_entropy(net(X[i]), y[i]).backward()
            opt.step()
    print("teacher accuracy", round(accuracy(net, Xv, yv), 4))
    return net.eval().requires_grad_(False)


def distill(teacher, X, y, Xv, yv, T=3.0, alpha=0.8, epochs=25):
    net = student_net()
    opt = torch.optim.Adam(net.parameters(), lr=4e-3)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, epochs)
    for e in range(epochs):
        net.train()
        tot = 0.0
        for i in torch.randperm(len(X)).split(64):
            xb = X[i] + 0.1 * torch.randn_like(X[i])
            with torch.no_grad():
                soft = F.log_softmax(teacher(xb) / T, 1)
            z = net(xb)
            kd = F.kl_div(F.log_softmax(z / T, 1), soft, reduction="batchmean", log_target=True) * T * T
            loss = alpha * kd + (1 - alpha) * F.cross_entropy(z, y[i])
            opt.zero_grad()
            loss.backward()
            opt.step()
            tot += loss.item() * len(i)
        sched.step()
        if e % 3 == 0 or e == epochs - 1:
            print(f"distill epoch {e:2d} loss {tot / len(X):.4f} student accuracy {accuracy(net, Xv, yv):.4f}")
    return net


if __name__ == "__main__":
    torch.manual_seed(0)
    data = load()
    distill(train_teacher(*data), *data)
