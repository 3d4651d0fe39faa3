import time
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader

from frames import LeafFrames

here = Path(__file__).parent
torch.manual_seed(77)


def block(cin, cout):
    return nn.Sequential(nn.Conv2d(cin, cout, 3, padding=1, bias=False), nn.BatchNorm2d(cout), nn.ReLU(),
                         nn.MaxPool2d(2))


class LeafNet(nn.Module):
    def __init__(self, species):
        super().__init__()
        self.features = nn.Sequential(block(1, 8), block(8, 16), block(16, 32))
        self.classify = nn.Linear(32, species)

    def forward(self, x):
        return self.classify(self.features(x).mean((2, 3)))


train = DataLoader(LeafFrames(here / "leaf_train.bin"), batch_size=32, shuffle=True)
check = DataLoader(LeafFrames(here / "leaf_check.bin"), batch_size=64)
net = LeafNet(4)
opt = torch.optim.AdamW(net.parameters(), lr=3e-3, weight_decay=1e-2)
EPOCHS = 20
sched = torch.optim.lr_scheduler.OneCycleLR(opt, 6e-3, EPOCHS * len(train))
began = time.perf_counter()
for epoch in range(EPOCHS):
    net.train()
    total = 0.0
    for img, species in train:
        loss = F.cross_entropy(net(img), species)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        total += loss.item() * len(img)
    net.eval()
    right, ce = 0, 0.0
    with torch.no_grad():
        for img, species in check:
            out = net(img)
            ce += F.cross_entropy(out, species, reduction="sum").item()
            right += (out.argmax(1) == species).sum().item()
    n = len(check.dataset)
    print(f"epoch {epoch} loss {total / len(train.dataset):.4f} check {ce / n:.4f} acc {right / n:.3f} "
          f"elapsed {time.perf_counter() - began:.1f}s")
