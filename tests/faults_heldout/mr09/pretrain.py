"""Trains the network on the standard scans and writes digitnet.pt."""
from pathlib import Path

import torch
import torch.nn.functional as F

from finetune.data import scans
from finetune.net import DigitNet

if __name__ == "__main__":
    torch.manual_seed(0)
    (x, y), _, _ = scans(0)
    net = DigitNet()
    opt = torch.optim.Adam(net.parameters(), lr=1e-3)
    for epoch in range(25):
        for idx in torch.randperm(len(x)).split(50):
            opt.zero_grad()
            F.cross_entropy(net(x[idx]), y[idx]).backward()
            opt.step()
    torch.save(net.state_dict(), Path(__file__).parent / "digitnet.pt")
