import numpy as np
import torch
import torch.nn.functional as F

from gcn import GCN, norm_adj

torch.manual_seed(2)
raw = np.load("data/coauthors.npz")
x = torch.from_numpy(raw["x"].astype(np.float32))
y = torch.from_numpy(raw["y"].astype(np.int64))
edges = torch.from_numpy(raw["edges"].astype(np.int64))
train, valid, test = (torch.from_numpy(raw["split"] == s) for s in range(3))
x = (x - x[train].mean(0)) / x[train].std(0)
adj = norm_adj(edges, len(y))

net = GCN(x.shape[1], 32, int(y.max()) + 1)
opt = torch.optim.SGD(net.parameters(), lr=0.2, momentum=0.9, weight_decay=5e-4)

for epoch in range(1, 201):
    net.train()
    logp = net(x, adj)
    loss = F.nll_loss(logp[train], y[train], reduction="sum")
    opt.zero_grad()
    loss.backward()
    opt.step()
    if epoch % 20 == 0:
        net.eval()
        with torch.no_grad():
            logp = net(x, adj)
            val = F.nll_loss(logp[valid], y[valid]).item()
            acc = (logp.argmax(1) == y)[valid].float().mean().item()
        print(f"epoch {epoch:3d} train {loss.item() / int(train.sum()):.4f} val {val:.4f} acc {acc:.3f}")

net.eval()
with torch.no_grad():
    print("test acc %.3f" % (net(x, adj).argmax(1) == y)[test].float().mean().item())
