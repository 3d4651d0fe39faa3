"""Take the trunk learned on the low digits (0-4) and fine-tune it for the high digits (5-9)."""
import json

import torch
from sklearn.datasets import load_digits
from torch import nn

from nets import make_trunk

cfg = json.load(open("finetune.json"))
torch.manual_seed(cfg["seed"])
saved = torch.load("trunk_low.pt")
trunk = make_trunk()
trunk.load_state_dict(saved["trunk"])
print("trunk learned on", saved["classes"])

d = load_digits()
high = d.target >= 5
x = torch.tensor(d.images[high] / 16.0, dtype=torch.float32)[:, None]
y = torch.tensor(d.target[high] - 5)
perm = torch.randperm(len(y))
tr, va = perm[:650], perm[650:]

# the convolutions stay as they are, the last trunk layer moves slowly, the head is new
for layer in trunk[:5]:
    layer.requires_grad_(False)
head = nn.Sequential(nn.Dropout(0.2), nn.Linear(64, 5))
net = nn.Sequential(trunk, head)
opt = torch.optim.AdamW([
    {"params": trunk[6].parameters(), "lr": cfg["lr_trunk"]},
    {"params": head.parameters(), "lr": cfg["lr_head"]},
], weight_decay=0.01)
total = cfg["epochs"] * (len(tr) // cfg["batch"] + 1)
sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: min(1.0, (s + 1) / 20) * (1 - 0.8 * s / total))


def check(idx):
    net.eval()
    with torch.no_grad():
        z = net(x[idx])
    net.train()
    return nn.functional.cross_entropy(z, y[idx]).item(), (z.argmax(1) == y[idx]).float().mean().item()


print("before  loss %.3f acc %.3f" % check(va))
for epoch in range(cfg["epochs"]):
    for b in tr[torch.randperm(len(tr))].split(cfg["batch"]):
        loss = nn.functional.cross_entropy(net(x[b]), y[b])
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
    print("epoch %2d train loss %.3f acc %.3f  valid loss %.3f acc %.3f" % (epoch, *check(tr), *check(va)))
