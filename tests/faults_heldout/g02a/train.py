# Beat classification on short single-lead windows: normal / early / wide.
import os

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(3)
rng = np.random.default_rng(3)
root = os.path.dirname(os.path.abspath(__file__))

pack = np.load(os.path.join(root, "windows.npz"))
signal = torch.from_numpy(pack["signal"].astype(np.float32))     # (N, 96), already in mV
beat = torch.from_numpy(pack["beat"].astype(np.int64))
fold = torch.from_numpy(pack["fold"].astype(np.int64))           # recording id modulo 5

train_idx = torch.nonzero(fold != 4).flatten()
test_idx = torch.nonzero(fold == 4).flatten()
print(f"{len(train_idx)} training windows, {len(test_idx)} test windows")

net = nn.Sequential(
    nn.Conv1d(1, 16, 7, stride=2, padding=3), nn.BatchNorm1d(16), nn.ReLU(),
    nn.Conv1d(16, 32, 5, stride=2, padding=2), nn.BatchNorm1d(32), nn.ReLU(),
    nn.Conv1d(32, 32, 3, stride=2, padding=1), nn.BatchNorm1d(32), nn.ReLU(),
    nn.Flatten(),
    nn.Linear(32 * 12, 3),
)
opt = torch.optim.SGD(net.parameters(), lr=0.02, momentum=0.9, weight_decay=1e-4)

EPOCHS, BS = 12, 32
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, EPOCHS)

for epoch in range(EPOCHS):
    net.train()
    order = train_idx[torch.from_numpy(rng.permutation(len(train_idx)))]
    running = 0.0
    for start in range(0, len(order), BS):
        idx = order[start:start + BS]
        out = net(signal[idx].unsqueeze(1))
        loss = F.cross_entropy(out, beat[idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
        running += loss.item() * len(idx)
    sched.step()

    net.eval()
    with torch.no_grad():
        out = net(signal[test_idx].unsqueeze(1))
        tl = F.cross_entropy(out, beat[test_idx]).item()
        acc = (out.argmax(1) == beat[test_idx]).float().mean().item()
    print(f"{epoch:02d}  train {running / len(order):.4f}  test {tl:.4f}  acc {acc:.3f}")
