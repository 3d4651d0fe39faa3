"""Trains the convolutional teacher and writes teacher.pt."""
import torch
from torch.nn import functional as F

from common import TEACHER, Teacher, accuracy, load, shift

torch.manual_seed(0)
x, y, xt, yt = load()
net = Teacher()
opt = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=1e-3)
for epoch in range(15):
    net.train()
    for b in torch.randperm(len(x)).split(64):
        opt.zero_grad()
        F.cross_entropy(net(shift(x[b])), y[b]).backward()
        opt.step()
print("teacher test accuracy", accuracy(net, xt, yt))
torch.save({"model": net.state_dict(), "epochs": 15}, TEACHER)
