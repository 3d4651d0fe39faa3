"""One molecule at a time; weights move after every eighth."""
import random

import torch

from mol import MolNet, graphs

EPOCHS, EVERY = 14, 8
random.seed(1)
torch.manual_seed(1)
data = list(graphs("molecules.jsonl"))
random.shuffle(data)
train, test = data[:344], data[344:]
ys = torch.tensor([y for *_, y in train])
mean, std = ys.mean().item(), ys.std().item()

net = MolNet()
opt = torch.optim.Adam(net.parameters(), lr=3e-3)
sched = torch.optim.lr_scheduler.LinearLR(opt, 1.0, 0.05, total_iters=EPOCHS * len(train) // EVERY)
for epoch in range(1, EPOCHS + 1):
    random.shuffle(train)
    net.train()
    total = 0.0
    opt.zero_grad()
    for k, (a, adj, y) in enumerate(train, 1):
        loss = (net(a, adj) - (y - mean) / std) ** 2
        (loss / EVERY).backward()
        total += loss.item()
        if k % EVERY == 0:
            opt.step()
            opt.zero_grad()
            sched.step()
    net.eval()
    with torch.no_grad():
        err = [(net(a, adj).item() * std + mean - y) for a, adj, y in test]
    rmse = (sum(e * e for e in err) / len(err)) ** 0.5
    print(f"epoch {epoch:2d}  train {total / len(train):.4f}  test rmse {rmse:.3f} log units")
