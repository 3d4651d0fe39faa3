from collections import OrderedDict
from pathlib import Path

import numpy as np
import torch
from torch import nn

from lora import inject

root = Path(__file__).resolve().parent
torch.manual_seed(9)


class DigitNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1, self.fc2, self.fc3 = nn.Linear(64, 128), nn.Linear(128, 128), nn.Linear(128, 10)

    def forward(self, x):
        return self.fc3(torch.relu(self.fc2(torch.relu(self.fc1(x)))))


def accuracy(net, x, y):
    with torch.no_grad():
        return (net(x).argmax(1) == y).float().mean().item()


scans = np.load(root / "scans.npz")
x = torch.from_numpy(scans["pixels"].astype("float32"))
y = torch.from_numpy(scans["digit"].astype("int64"))
xt, yt, xv, yv = x[:700], y[:700], x[700:], y[700:]

net = DigitNet()
print(net.load_state_dict(torch.load(root / "base.pt", weights_only=True)))
print(f"base network on the new scanner: {accuracy(net, xv, yv):.3f}")

inject(net)
trainable = OrderedDict((n, p) for n, p in net.named_parameters() if p.requires_grad)
print("trainable:", sum(p.numel() for p in trainable.values()), "of", sum(p.numel() for p in net.parameters()))
opt = torch.optim.AdamW(trainable.values(), lr=2e-3, weight_decay=0.01)

for epoch in range(40):
    losses = []
    for ix in torch.randperm(len(xt)).split(25):
        loss = nn.functional.cross_entropy(net(xt[ix]), yt[ix])
        opt.zero_grad()
        loss.backward()
        opt.step()
        losses.append(loss.item())
    if epoch % 4 == 3:
        print(f"epoch {epoch + 1:2d}  loss {np.mean(losses):.4f}  val acc {accuracy(net, xv, yv):.3f}")
