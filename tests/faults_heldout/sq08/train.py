import json
from pathlib import Path
import torch
from torch.utils.data import DataLoader, Subset
from bags import GrainBatches, collate
from net import StrengthNet

here = Path(__file__).parent
cfg = json.loads((here / "config.json").read_text())
torch.manual_seed(cfg["seed"])

data = GrainBatches(here / cfg["data"])
perm = torch.randperm(len(data)).tolist()
test_idx, train_idx = perm[:cfg["held_out"]], perm[cfg["held_out"]:]
data.fit_scaler(train_idx)
train = DataLoader(Subset(data, train_idx), cfg["batch_size"], shuffle=True, collate_fn=collate)
test = DataLoader(Subset(data, test_idx), cfg["batch_size"], collate_fn=collate)

net = StrengthNet(5, cfg["width"])
opt = torch.optim.Adam(net.parameters(), lr=cfg["lr"], weight_decay=1e-4)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, cfg["epochs"])


def r2():
    net.eval()
    pred, true = [], []
    with torch.no_grad():
        for grains, sizes, t in test:
            pred.append(net(grains, sizes))
            true.append(t)
    pred, true = torch.cat(pred), torch.cat(true)
    return 1 - ((pred - true) ** 2).mean().item() / true.var(unbiased=False).item()


for epoch in range(cfg["epochs"]):
    net.train()
    total = 0.0
    for grains, sizes, t in train:
        loss = torch.nn.functional.mse_loss(net(grains, sizes), t)
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item() * len(t)
    sched.step()
    print(f"epoch {epoch + 1:2d}/{cfg['epochs']}  mse {total / len(train_idx):.4f}  held-out R2 {r2():.4f}")
