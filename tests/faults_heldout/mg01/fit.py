import copy

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

from data import load


def read_config(path):
    import ast
    cfg = {}
    for line in open(path):
        if ":" in line:
            key, val = line.split(":", 1)
            val = val.strip()
            try:
                cfg[key.strip()] = ast.literal_eval(val)
            except (ValueError, SyntaxError):
                cfg[key.strip()] = val
    return cfg


class Net(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.lin = nn.Linear(d, 1)
        self.mlp = nn.Sequential(nn.Linear(d, h), nn.SiLU(), nn.Linear(h, 1))

    def forward(self, x):
        return (self.lin(x) + self.mlp(x)).squeeze(-1)


@torch.no_grad()
def score(net, x, y, crit):
    net.eval()
    p = net(x)
    r2 = 1 - ((y - p) ** 2).mean() / ((y - y.mean()) ** 2).mean()
    hit = ((p > 0) == (y > 0)).float().mean()
    return crit(p, y).item(), r2.item(), hit.item()


def main():
    cfg = read_config("config.yaml")
    torch.manual_seed(0)
    (tr, va, te), scale = load(cfg["data"], cfg["split"])
    net = Net(tr[0].shape[1], cfg["hidden"])
    opt = torch.optim.AdamW(net.parameters(), lr=cfg["lr"], weight_decay=cfg["weight_decay"])
    crit = nn.HuberLoss(delta=cfg["huber_delta"])
    loader = DataLoader(TensorDataset(*tr), batch_size=cfg["batch"], shuffle=True, drop_last=True)

    best, best_state, since = float("inf"), None, 0
    for ep in range(1, cfg["max_epochs"] + 1):
        net.train()
        run, n = 0.0, 0
        for x, y in loader:
            opt.zero_grad()
            loss = crit(net(x), y)
            loss.backward()
            opt.step()
            run += loss.item() * len(y)
            n += len(y)
        vl, r2, hit = score(net, *va, crit)
        print(f"epoch {ep:2d}  train {run / n:.4f}  valid {vl:.4f}  R2 {r2:+.3f}  direction {hit:.3f}")
        if vl < best - 1e-5:
            best, best_state, since = vl, copy.deepcopy(net.state_dict()), 0
        else:
            since += 1
            if since >= cfg["patience"]:
                print("no further gain on the validation block, stop")
                break
    net.load_state_dict(best_state)
    tl, r2, hit = score(net, *te, crit)
    print(f"test block: huber {tl:.4f}  R2 {r2:+.3f}  direction {hit:.3f}  (1 unit = {scale:.2f} EUR/MWh)")


if __name__ == "__main__":
    main()
