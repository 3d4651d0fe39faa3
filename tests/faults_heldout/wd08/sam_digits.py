import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split


class SAM(torch.optim.Optimizer):
    """Sharpness-aware minimisation around a base optimizer."""

    def __init__(self, params, base, rho=0.05, **kw):
        super().__init__(params, dict(rho=rho, **kw))
        self.base = base(self.param_groups, **kw)
        self.param_groups = self.base.param_groups

    @torch.no_grad()
    def ascend(self):
        grads = [p.grad for g in self.param_groups for p in g["params"] if p.grad is not None]
        norm = torch.norm(torch.stack([g.norm() for g in grads]))
        for g in self.param_groups:
            scale = g["rho"] / (norm + 1e-12)
            for p in g["params"]:
                if p.grad is None:
                    continue
                e = p.grad * scale
                p.add_(e)
                self.state[p]["eps"] = e

    @torch.no_grad()
    def descend(self):
        for g in self.param_groups:
            for p in g["params"]:
                if "eps" in self.state[p]:
                    p.sub_(self.state[p].pop("eps"))
        self.base.step()

    def step(self, closure):
        self.ascend()
        self.zero_grad()
        with torch.enable_grad():
            closure()
        self.descend()


def conv_block(i, o):
    return nn.Sequential(nn.Conv2d(i, o, 3, padding=1, bias=False), nn.BatchNorm2d(o), nn.ReLU(inplace=True))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(conv_block(1, 24), nn.MaxPool2d(2), conv_block(24, 48))
        self.head = nn.Linear(48, 10)

    def forward(self, x):
        return self.head(self.features(x).amax((2, 3)))


def running_stats(model, enabled):
    for m in model.modules():
        if isinstance(m, nn.BatchNorm2d):
            if enabled:
                m.momentum = m.saved_momentum
            else:
                m.saved_momentum, m.momentum = m.momentum, 0.0


def shift(x):
    out = F.pad(x, (1, 1, 1, 1))
    dy, dx = np.random.randint(0, 3, 2)
    return out[:, :, dy:dy + 8, dx:dx + 8]


torch.manual_seed(2)
np.random.seed(2)
digits = load_digits()
images = torch.tensor(digits.images, dtype=torch.float32).unsqueeze(1) / 16.0
target = torch.tensor(digits.target)
tr, te = train_test_split(np.arange(len(target)), test_size=0.25, stratify=digits.target, random_state=0)
mean, std = images[tr].mean(), images[tr].std()
images = (images - mean) / std

EPOCHS, BATCH = 16, 64
net = Net()
opt = SAM(net.parameters(), torch.optim.SGD, rho=0.05, lr=0.1, momentum=0.9, weight_decay=5e-4)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt.base, EPOCHS)


def evaluate(idx):
    net.eval()
    with torch.no_grad():
        out = net(images[idx])
        return F.cross_entropy(out, target[idx]).item(), (out.argmax(1) == target[idx]).float().mean().item()


for epoch in range(EPOCHS):
    net.train()
    for idx in np.array_split(np.random.permutation(tr), len(tr) // BATCH):
        x, y = shift(images[idx]), target[idx]
        opt.zero_grad()
        F.cross_entropy(net(x), y, label_smoothing=0.05).backward()

        def closure():
            running_stats(net, False)
            F.cross_entropy(net(x), y, label_smoothing=0.05).backward()
            running_stats(net, True)

        opt.step(closure)
    sched.step()
    (trl, tra), (tel, tea) = evaluate(tr), evaluate(te)
    print(f"[{epoch + 1:02d}] lr {sched.get_last_lr()[0]:.4f} | train {trl:.4f} / {tra:.4f} | test {tel:.4f} / {tea:.4f}")
