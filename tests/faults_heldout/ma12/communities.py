"""Which of five communities does a forum member belong to: reply graph + profile features, semi-supervised."""
import json

import torch
import torch.nn.functional as F

from gnn import GraphNet, neighbourhood

with open("settings.json") as fh:
    cfg = json.load(fh)
torch.manual_seed(cfg["seed"])

g = torch.load("forum.pt")
x = g["profile"].float()
x = (x - x.mean(0)) / x.std(0)
y, edges = g["community"].long(), g["replies"].long()
n = len(y)
perm = torch.randperm(n)
train, val = perm[: n // 2], perm[n // 2:]

prop = neighbourhood(edges, n, cfg["aggregate"])
net = GraphNet(x.shape[1], cfg["dim"], cfg["layers"], int(y.max()) + 1, cfg["dropout"])
opt = torch.optim.Adam(net.parameters(), lr=cfg["lr"], weight_decay=cfg["weight_decay"])
print(f"{n} members, {edges.shape[1]} reply links")

for epoch in range(1, cfg["epochs"] + 1):
    net.train()
    loss = F.cross_entropy(net(x, prop)[train], y[train])
    opt.zero_grad()
    loss.backward()
    opt.step()
    if epoch % cfg["report_every"] == 0:
        net.eval()
        with torch.no_grad():
            logits = net(x, prop)
        acc = (logits.argmax(1) == y).float()
        print(f"{epoch:4d} loss {loss.item():.4g}  train {acc[train].mean():.3f}  "
              f"val {acc[val].mean():.3f}  val loss {F.cross_entropy(logits[val], y[val]):.4g}")
