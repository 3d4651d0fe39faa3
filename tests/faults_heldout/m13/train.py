import torch
from torch import nn, optim

import data

torch.manual_seed(4)
xtr, ytr, xte, yte = map(torch.as_tensor, data.load())
print("train", tuple(xtr.shape), "test", tuple(xte.shape))

net = nn.Sequential(
    nn.Conv2d(1, 16, 3, padding=1, bias=False), nn.BatchNorm2d(16), nn.ReLU(), nn.MaxPool2d(2),
    nn.Conv2d(16, 32, 3, padding=1, bias=False), nn.BatchNorm2d(32), nn.ReLU(), nn.MaxPool2d(2),
    nn.Flatten(), nn.Linear(128, 10),
)
opt = optim.SGD(net.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-4)
sched = optim.lr_scheduler.MultiStepLR(opt, [4], gamma=0.2)

for epoch in range(6):
    net.train()
    total = 0.0
    for idx in torch.randperm(len(xtr)).split(64):
        opt.zero_grad()
        loss = nn.functional.cross_entropy(net(xtr[idx]), ytr[idx])
        loss.backward()
        opt.step()
        total += loss.item() * len(idx)
    sched.step()
    net.eval()
    with torch.no_grad():
        acc = (net(xte).argmax(1) == yte).float().mean()
    print(f"epoch {epoch + 1}: train loss {total / len(xtr):.4f}, test accuracy {acc:.4f}")
