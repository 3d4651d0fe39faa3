import torch
import torch.nn.functional as F

from gnn import GraphNet
from graph import load

torch.manual_seed(10)
x, y, adj, tr, te = load()
model = GraphNet(x.shape[1], int(y.max()) + 1)
opt = torch.optim.Adam(model.parameters(), lr=1e-3, weight_decay=5e-4)

for it in range(1, 151):
    model.train()
    loss = F.cross_entropy(model(x, adj)[tr], y[tr])
    opt.zero_grad()
    loss.backward()
    opt.step()
    if it % 10 == 0 or it == 1:
        model.eval()
        with torch.no_grad():
            out = model(x, adj)
        acc = (out.argmax(1) == y).float()
        print(f"it {it:3d}  loss {loss.item():.4g}  train acc {acc[tr].mean():.3f}  test acc {acc[te].mean():.3f}")
