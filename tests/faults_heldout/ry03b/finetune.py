import argparse
import csv

import torch
import torch.nn.functional as F

from net import Surrogate


def read_table(path):
    with open(path, newline="") as fh:
        rows = list(csv.reader(fh))
    return rows[0], torch.tensor([[float(v) for v in r] for r in rows[1:]])


class Scaler:
    def __init__(self, t):
        self.mu, self.sd = t.mean(0), t.std(0).clamp_min(1e-6)

    def __call__(self, t):
        return (t - self.mu) / self.sd


def parse():
    p = argparse.ArgumentParser(description="adapt the company-wide model to one plant")
    p.add_argument("--table", default="plant7.csv")
    p.add_argument("--weights", default="company.pt")
    p.add_argument("--lr", type=float, default=1e-3)
    p.add_argument("--epochs", type=int, default=60)
    p.add_argument("--batch", type=int, default=32)
    p.add_argument("--seed", type=int, default=0)
    return p.parse_args()


def main():
    args = parse()
    torch.manual_seed(args.seed)
    _, table = read_table(args.table)
    table = table[torch.randperm(len(table))]
    n_val = len(table) // 5
    val, train = table[:n_val], table[n_val:]
    sx, sy = Scaler(train[:, :-1]), Scaler(train[:, -1])
    xt, yt = sx(train[:, :-1]), sy(train[:, -1])
    xv, yv = sx(val[:, :-1]), sy(val[:, -1])

    model = Surrogate(xt.shape[1])
    state = torch.load(args.weights, map_location="cpu", weights_only=True)
    model.load_state_dict(state["model"], assign=True)
    print(f"loaded {args.weights} (trained on {state['rows']} rows)")

    opt = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.9, nesterov=True)

    def val_rmse():
        model.eval()
        with torch.no_grad():
            return F.mse_loss(model(xv), yv).sqrt().item() * sy.sd.item()

    print(f"start         val rmse {val_rmse():.3f} MPa")
    for epoch in range(1, args.epochs + 1):
        model.train()
        total = 0.0
        for idx in torch.randperm(len(xt)).split(args.batch):
            opt.zero_grad()
            loss = F.mse_loss(model(xt[idx]), yt[idx])
            loss.backward()
            opt.step()
            total += loss.item() * len(idx)
        if epoch % 10 == 0:
            print(f"epoch {epoch:3d}  mse {total / len(xt):.4f}  val rmse {val_rmse():.3f} MPa")


if __name__ == "__main__":
    main()
