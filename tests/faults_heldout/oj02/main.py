import torch
import torch.nn.functional as F

from graph import load
from nets import PaperNet

torch.manual_seed(0)
x, y, adj, part = load("citations.npz")
net = PaperNet(x.shape[1], 24, int(y.max()) + 1, drop=0.5)
opt = torch.optim.Adam([
    {"params": net.c1.parameters(), "weight_decay": 5e-3},
    {"params": net.c2.parameters(), "weight_decay": 0.0},
], lr=0.01)

for epoch in range(1, 141):
    net.train()
    opt.zero_grad()
    loss = F.cross_entropy(net(x, adj)[part["train"]], y[part["train"]])
    loss.backward()
    opt.step()

    net.eval()
    with torch.no_grad():
        out = net(x, adj)
        val_loss = F.cross_entropy(out[part["val"]], y[part["val"]])
        val_acc = (out[part["val"]].argmax(1) == y[part["val"]]).float().mean()
    if epoch % 10 == 0:
        print(f"epoch {epoch:3d} loss {loss.item():.3f} val_loss {val_loss.item():.3f} val_acc {val_acc.item():.3f}")

with torch.no_grad():
    out = net(x, adj)
test = (out[part["test"]].argmax(1) == y[part["test"]]).float().mean()
print(f"test accuracy {test.item():.3f}")
