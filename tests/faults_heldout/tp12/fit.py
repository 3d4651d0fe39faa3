import argparse
from pathlib import Path

import numpy as np
import torch

from carprice.data import Adverts
from carprice.nets import PriceNet, SmoothL1


def main():
    ap = argparse.ArgumentParser(description="asking price of used cars")
    ap.add_argument("--csv", default=str(Path(__file__).with_name("adverts.csv")))
    ap.add_argument("--epochs", type=int, default=30)
    ap.add_argument("--batch-size", type=int, default=48)
    ap.add_argument("--lr", type=float, default=2e-3)
    ap.add_argument("--seed", type=int, default=1)
    args = ap.parse_args()

    torch.manual_seed(args.seed)
    data = Adverts(args.csv, args.seed, args.batch_size)
    net = PriceNet(data.n_features)
    crit = SmoothL1()
    opt = torch.optim.AdamW(net.parameters(), lr=args.lr, weight_decay=1e-3)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, args.epochs)
    for epoch in range(1, args.epochs + 1):
        net.train()
        losses = []
        for x, y in data.train:
            opt.zero_grad()
            loss = crit(net(x), y)
            loss.backward()
            opt.step()
            losses.append(loss.item())
        sched.step()
        net.eval()
        with torch.no_grad():
            euro = data.to_euro(net(data.x_val).numpy()[:, 0])
        err = np.abs(euro - data.euro_val)
        if epoch % 3 == 0 or epoch == 1:
            print(f"epoch {epoch:2d}  loss {np.mean(losses):.4f}  val mae {err.mean():7.0f} EUR  "
                  f"median error {100 * np.median(err / data.euro_val):.1f}%")


if __name__ == "__main__":
    main()
