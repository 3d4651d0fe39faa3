import torch
import yaml

from loadfc.features import Scaler, read_table
from loadfc.mlp import build
from loadfc.quantiles import coverage, pinball

with open("forecast.yaml") as f:
    cfg = yaml.safe_load(f)
torch.manual_seed(cfg["seed"])

x, y = read_table(cfg["table"])
order = torch.randperm(len(x))
test, train = order[: cfg["test_rows"]], order[cfg["test_rows"] :]
sx, sy = Scaler(x[train]), Scaler(y[train])
xt, yt, xv, yv = sx(x[train]), sy(y[train]), sx(x[test]), sy(y[test])

net = build(x.shape[1], cfg["hidden"], len(cfg["levels"]))
opt = torch.optim.Adam(net.parameters(), lr=cfg["lr"])
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, cfg["epochs"])

for epoch in range(1, cfg["epochs"] + 1):
    net.train()
    losses = []
    for idx in torch.randperm(len(xt)).split(cfg["batch_size"]):
        loss = pinball(net(xt[idx]), yt[idx], cfg["levels"])
        opt.zero_grad()
        loss.backward()
        opt.step()
        losses.append(loss.item())
    sched.step()
    net.eval()
    with torch.no_grad():
        pv = net(xv)
        mae = (sy.inverse(pv[:, 1]) - y[test]).abs().mean().item()
        print(f"{epoch:3d} train {sum(losses) / len(losses):.4f} test {pinball(pv, yv, cfg['levels']).item():.4f} "
              f"median MAE {mae:.1f} MW, 80% band covers {coverage(pv, yv):.2f}")
