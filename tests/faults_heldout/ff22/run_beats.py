import os
import time

import numpy as np
import torch
from torch.utils.data import DataLoader

from beats.net import beat_net
from beats.records import BeatRecords

FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "beats.npz")
torch.manual_seed(31)
order = np.random.default_rng(0).permutation(1000)
train = DataLoader(BeatRecords(FILE, order[:800]), batch_size=32, shuffle=True)
valid = DataLoader(BeatRecords(FILE, order[800:]), batch_size=100)

net = beat_net()
opt = torch.optim.Adam(net.parameters(), lr=2e-3)
lossf = torch.nn.CrossEntropyLoss()
for epoch in range(4):
    t0 = time.time()
    net.train()
    s = 0.0
    for wave, label in train:
        opt.zero_grad()
        loss = lossf(net(wave), label)
        loss.backward()
        opt.step()
        s += loss.item()
    net.eval()
    with torch.no_grad():
        hits = sum((net(w).argmax(1) == l).sum().item() for w, l in valid)
    print(f"epoch {epoch}  loss {s / len(train):.4f}  valid acc {hits / 200:.4f}  {time.time() - t0:.1f}s")
