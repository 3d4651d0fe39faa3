import torch
from torch import nn
from torch.utils.data import DataLoader

import cfg
from dataset import splits


def conv(i, o, stride=1):
    return nn.Sequential(nn.Conv2d(i, o, 3, stride, 1, bias=False), nn.BatchNorm2d(o), nn.ReLU(inplace=True))


def network():
    return nn.Sequential(conv(6, 24), conv(24, 24), conv(24, 32, 2), nn.AdaptiveAvgPool2d(1),
                         nn.Flatten(), nn.Dropout(0.2), nn.Linear(32, len(cfg.CLASSES)))


def accuracy(net, loader):
    net.eval()
    hit = n = 0
    with torch.no_grad():
        for x, y in loader:
            hit += (net(x).argmax(1) == y).sum().item()
            n += len(y)
    return hit / n


def fit():
    torch.manual_seed(cfg.SEED)
    train, val = splits()
    feed = DataLoader(train, cfg.BATCH, shuffle=True)
    check = DataLoader(val, 160)
    net = network()
    opt = torch.optim.AdamW(net.parameters(), lr=cfg.LR, weight_decay=0.01)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, cfg.EPOCHS)
    crit = nn.CrossEntropyLoss()
    for epoch in range(cfg.EPOCHS):
        net.train()
        tot = 0.0
        for x, y in feed:
            x_in = torch.rot90(x, int(torch.randint(4, ())), (2, 3))
            loss = crit(net(x_in), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            tot += loss.item() * len(y)
        sched.step()
        print(f"epoch {epoch + 1}/{cfg.EPOCHS} loss {tot / len(train):.4f} val acc {accuracy(net, check):.4f}")


if __name__ == "__main__":
    fit()
