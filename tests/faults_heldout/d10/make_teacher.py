"""Trains the wide teacher on the digits and stores it compactly."""
import torch
import torch.nn.functional as F

from nets import Net, load

torch.manual_seed(0)
xtr, ytr, xte, yte = load()
t = Net(256)
opt = torch.optim.AdamW(t.parameters(), lr=1e-3, weight_decay=1e-2)
for _ in range(40):
    for b in torch.randperm(len(xtr)).split(64):
        loss = F.cross_entropy(t(xtr[b] + 0.1 * torch.randn(len(b), 64)), ytr[b])
        opt.zero_grad()
        loss.backward()
        opt.step()
print("teacher", (t(xte).argmax(1) == yte).float().mean().item())
torch.save({k: v.bfloat16() for k, v in t.state_dict().items()}, "teacher.pt")
