"""Source task: digits 0-5. Writes backbone.pt."""
import torch
from torch import nn
from data import digits
from model import Backbone

torch.manual_seed(0)
(x, y), (xv, yv) = digits([0, 1, 2, 3, 4, 5])
backbone = Backbone()
net = nn.Sequential(backbone, nn.Linear(backbone.dim, 6))
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
for epoch in range(8):
    net.train()
    for idx in torch.randperm(len(y)).split(32):
        loss = nn.functional.cross_entropy(net(x[idx]), y[idx])
        opt.zero_grad(); loss.backward(); opt.step()
net.eval()
with torch.no_grad():
    print("source accuracy", (net(xv).argmax(1) == yv).float().mean().item())
torch.save(backbone.state_dict(), "backbone.pt")
