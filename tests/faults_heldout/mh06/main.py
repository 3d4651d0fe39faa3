import json
import random

import torch
from torch import nn

from graphs import GraphStore, merge
from net import PropertyNet

cfg = json.load(open("config.json"))
random.seed(0)
torch.manual_seed(0)

store = GraphStore(cfg["data"]["path"])
train, val, test = store.split(cfg["data"]["val"], cfg["data"]["test"], cfg["data"]["split_seed"])
y = torch.tensor([g.y for g in train])
center, scale = y.mean(), y.std()

net = PropertyNet(**cfg["model"])
o = cfg["optim"]
opt = torch.optim.AdamW(net.parameters(), lr=o["lr"], weight_decay=o["weight_decay"])
steps = o["epochs"] * -(-len(train) // o["batch_size"])
sched = torch.optim.lr_scheduler.OneCycleLR(opt, o["lr"], total_steps=steps, pct_start=o["pct_start"])
criterion = nn.HuberLoss()


def chunks(items, size):
    for i in range(0, len(items), size):
        yield merge(items[i:i + size])


@torch.no_grad()
def mean_abs_error(graphs):
    net.eval()
    err = sum((net(g) * scale + center - g.y).abs().sum().item() for g in chunks(graphs, 128))
    return err / len(graphs)


best, best_state = float("inf"), None
for epoch in range(o["epochs"]):
    net.train()
    random.shuffle(train)
    total = 0.0
    for g in chunks(train, o["batch_size"]):
        loss = criterion(net(g), (g.y - center) / scale)
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        opt.step()
        sched.step()
        total += loss.item() * g.size
    mae = mean_abs_error(val)
    if mae < best:
        best, best_state = mae, {k: v.clone() for k, v in net.state_dict().items()}
    if epoch % 3 == 0 or epoch == o["epochs"] - 1:
        print(f"epoch {epoch:2d}  train loss {total / len(train):.4f}  val MAE {mae:.3f}  lr {opt.param_groups[0]['lr']:.1e}")

net.load_state_dict(best_state)
print(f"best val MAE {best:.3f}   test MAE {mean_abs_error(test):.3f}   (target std {scale:.2f})")
