import csv
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset, random_split

from net import SoilNet

torch.manual_seed(17)

with open("soil_survey.csv") as f:
    rows = list(csv.reader(f))
table = torch.tensor([[float(v) for v in r] for r in rows[1:]])
X, y = table[:, :-1], table[:, -1].long()

g = torch.Generator().manual_seed(1)
perm = torch.randperm(len(X), generator=g)
tr, te = perm[:2300], perm[2300:]
mu, sd = X[tr].mean(0), X[tr].std(0)
X = (X - mu) / sd

train_loader = DataLoader(TensorDataset(X[tr], y[tr]), batch_size=64, shuffle=True)
test_loader = DataLoader(TensorDataset(X[te], y[te]), batch_size=350)

model = SoilNet(X.shape[1], int(y.max()) + 1)
opt = torch.optim.Adam(model.parameters(), lr=1e-3)


def evaluate(loader):
    model.eval()
    n = hit = 0
    total = 0.0
    with torch.no_grad():
        for xb, yb in loader:
            out = model(xb)
            total += F.cross_entropy(out, yb, reduction="sum").item()
            hit += (out.argmax(1) == yb).sum().item()
            n += len(yb)
    return total / n, hit / n


for epoch in range(40):
    model.train()
    for xb, yb in train_loader:
        opt.zero_grad()
        loss = F.cross_entropy(model(xb), yb)
        loss.backward()
        opt.step()
    tl, ta = evaluate(test_loader)
    if epoch % 4 == 3:
        print(f"epoch {epoch:02d}  last batch {loss.item():.3f}  test loss {tl:.3f}  test acc {ta:.3f}")
print("final test accuracy", round(ta, 4))
