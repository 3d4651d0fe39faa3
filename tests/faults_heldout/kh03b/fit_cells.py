import json
import numpy as np
import torch
import torch.nn.functional as F

torch.manual_seed(2)
table = np.loadtxt("cells.csv", delimiter=",", skiprows=1)
scaler = json.load(open("scaler.json"))          # written by export_scaler.py of the warehouse job

X = torch.tensor(table[:, :-1], dtype=torch.float32)
y = torch.tensor(table[:, -1], dtype=torch.float32)
X = (X - torch.tensor(scaler["center"])) / torch.tensor(scaler["scale"])

order = torch.randperm(len(X))
tr, te = order[:430], order[430:]
print("rows:", len(tr), "train /", len(te), "test, positives %.2f" % y.mean().item())

h = 32
model = torch.nn.Sequential(
    torch.nn.Linear(X.shape[1], h), torch.nn.Tanh(),
    torch.nn.Linear(h, h), torch.nn.Tanh(),
    torch.nn.Linear(h, 1))
opt = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9, weight_decay=1e-2)

for epoch in range(24):
    model.train()
    perm = tr[torch.randperm(len(tr))]
    tot = 0.0
    for i in range(0, len(perm), 16):
        b = perm[i:i + 16]
        loss = F.binary_cross_entropy_with_logits(model(X[b]).squeeze(1), y[b])
        opt.zero_grad()
        loss.backward()
        opt.step()
        tot += loss.item() * len(b)
    if epoch % 4 == 3:
        model.eval()
        with torch.no_grad():
            z = model(X[te]).squeeze(1)
            tl = F.binary_cross_entropy_with_logits(z, y[te]).item()
            acc = ((z > 0).float() == y[te]).float().mean().item()
        print(f"epoch {epoch + 1:3d} | bce {tot / len(tr):.4f} | test bce {tl:.4f} | test acc {acc:.3f}")
