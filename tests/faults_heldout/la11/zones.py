# Land-use zone of road junctions from traffic counts (daily, peak hour, mean speed, lanes, share of trucks)
import numpy as np
import torch
import torch.nn.functional as F

from network import RoadGNN

torch.manual_seed(14)

store = np.load("junctions.npz")
counts = torch.from_numpy(store["counts"].astype(np.float32))
zone = torch.from_numpy(store["zone"].astype(np.int64))
edges = torch.from_numpy(store["edges"].astype(np.int64))
src = torch.cat([edges[:, 0], edges[:, 1]])
dst = torch.cat([edges[:, 1], edges[:, 0]])
degree = torch.bincount(dst, minlength=len(zone)).clamp(min=1).float()

perm = torch.randperm(len(zone))
train_idx, val_idx = perm[:540], perm[540:]

x = counts.clone()
x[:, :2] = x[:, :2].log1p()
center = x[train_idx].median(0).values
spread = (x[train_idx] - center).abs().median(0).values
x = ((x - center) / (1.48 * spread + 1e-6))

model = RoadGNN(x.shape[1], 32, int(zone.max()) + 1)
opt = torch.optim.Adam(model.parameters(), lr=5e-3, weight_decay=5e-4)

for epoch in range(1, 121):
    model.train()
    opt.zero_grad()
    logits = model(x, src, dst, degree)
    loss = F.cross_entropy(logits[train_idx], zone[train_idx])
    loss.backward()
    opt.step()
    if epoch % 10 == 0:
        model.eval()
        with torch.no_grad():
            logits = model(x, src, dst, degree)
            hit = logits.argmax(1) == zone
            val_loss = F.cross_entropy(logits[val_idx], zone[val_idx])
        print(f"{epoch:4d}  loss {loss.item():.4f}  val loss {val_loss.item():.4f}  "
              f"acc train {hit[train_idx].float().mean():.3f} val {hit[val_idx].float().mean():.3f}")
