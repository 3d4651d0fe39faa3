"""Delivery delay class (0..3) from order features."""
import numpy as np
import torch
from torch.utils.data import DataLoader, TensorDataset, random_split

from resmlp import ResMLP

torch.manual_seed(64)
z = np.load("orders.npz")
X = torch.from_numpy(z["X"].astype(np.float32))
y = torch.from_numpy(z["y"]).long()
full = TensorDataset(X, y)
train, val = random_split(full, [6600, 1400], generator=torch.Generator().manual_seed(1))
dl = DataLoader(train, batch_size=96, shuffle=True)
xv, yv = full[val.indices]

net = ResMLP(X.shape[1], 4)
opt = torch.optim.AdamW(net.parameters(), lr=1e-3, weight_decay=0.05)
sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=2e-3, epochs=14, steps_per_epoch=len(dl))
ce = torch.nn.CrossEntropyLoss()
for ep in range(14):
    net.train()
    s = n = 0
    for xb, yb in dl:
        loss = ce(net(xb), yb)
        opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 2.0)
        opt.step()
        sched.step()
        s, n = s + loss.item(), n + 1
    net.eval()
    with torch.no_grad():
        o = net(xv)
    print(f"{ep:2d} train {s / n:.4f} val {ce(o, yv).item():.4f} acc {(o.argmax(1) == yv).float().mean().item():.3f}")
