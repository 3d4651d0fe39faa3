import logging

import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from engine import Logger, Loop, OptimHook, ScheduleHook

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")


def conv(i, o):
    return nn.Sequential(nn.Conv2d(i, o, 3, padding=1), nn.GroupNorm(4, o), nn.ReLU())


def main():
    torch.manual_seed(21)
    d = load_digits()
    x = torch.tensor(d.images, dtype=torch.float32).unsqueeze(1) / 16 - 0.3
    y = torch.tensor(d.target)
    xt, xv, yt, yv = train_test_split(x, y, test_size=0.25, stratify=y, random_state=5)
    model = nn.Sequential(conv(1, 16), conv(16, 16), nn.MaxPool2d(2), conv(16, 32), nn.AdaptiveAvgPool2d(2),
                          nn.Flatten(), nn.Linear(128, 10))
    epochs, loader = 12, DataLoader(TensorDataset(xt, yt), batch_size=32, shuffle=True)
    opt = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-4)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, epochs * len(loader))

    @torch.no_grad()
    def valid():
        model.eval()
        return (model(xv).argmax(1) == yv).float().mean().item()

    hooks = [OptimHook(), ScheduleHook(sched), Logger(logging.getLogger("fit"), valid)]
    Loop(model, nn.CrossEntropyLoss(), opt, hooks).fit(loader, epochs)


main()
