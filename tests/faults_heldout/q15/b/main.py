import argparse
import copy

import torch
import torch.nn as nn

from data import HERE, everything


class Patience:
    def __init__(self, n):
        self.n, self.best, self.bad, self.state = n, float("inf"), 0, None

    def done(self, value, model):
        if value < self.best - 1e-4:
            self.best, self.bad, self.state = value, 0, copy.deepcopy(model.state_dict())
        else:
            self.bad += 1
        return self.bad >= self.n


def mlp(n_in, width, n_out):
    return nn.Sequential(nn.Linear(n_in, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, n_out))


@torch.no_grad()
def check(model, pair, crit):
    model.eval()
    x, y = pair
    out = model(x)
    model.train()
    return crit(out, y).item(), (out.argmax(1) == y).float().mean().item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--max-epochs", type=int, default=150)
    ap.add_argument("--patience", type=int, default=3)
    ap.add_argument("--width", type=int, default=160)
    ap.add_argument("--lr", type=float, default=5e-4)
    ap.add_argument("--batch", type=int, default=64)
    a = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(64)
    d = everything()
    x, y = d["train"]
    model = mlp(x.shape[1], a.width, int(y.max()) + 1)
    crit = nn.CrossEntropyLoss()
    opt = torch.optim.AdamW(model.parameters(), lr=a.lr, weight_decay=0.01)
    stop = Patience(a.patience)
    for epoch in range(1, a.max_epochs + 1):
        tot = 0.0
        for i in torch.randperm(len(x)).split(a.batch):
            loss = crit(model(x[i]), y[i])
            opt.zero_grad()
            loss.backward()
            opt.step()
            tot += loss.item() * len(i)
        vl, va = check(model, d["val"], crit)
        print(f"{epoch:3d} train {tot / len(x):.4f}  val {vl:.4f} / {va:.3f}")
        if stop.done(vl, model):
            break
    model.load_state_dict(stop.state)
    tl, ta = check(model, d["test"], crit)
    print(f"best val {stop.best:.4f}; test {tl:.4f} / {ta:.3f}")
    torch.save(stop.state, HERE / "soil_type.pt")


if __name__ == "__main__":
    main()
