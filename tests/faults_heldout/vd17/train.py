import argparse
import copy

import torch

from mdn import MixtureDensityNet
from simulate import simulate


class EarlyStop:
    def __init__(self, patience, min_delta):
        self.patience, self.min_delta = patience, min_delta
        self.best, self.bad, self.state = float("inf"), 0, None

    def update(self, value, model):
        if value < self.best - self.min_delta:
            self.best, self.bad, self.state = value, 0, copy.deepcopy(model.state_dict())
        else:
            self.bad += 1
        return self.bad >= self.patience


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--max-epochs", type=int, default=150)
    ap.add_argument("--patience", type=int, default=12)
    ap.add_argument("--lr", type=float, default=3e-3)
    ap.add_argument("--batch", type=int, default=100)
    ap.add_argument("--components", type=int, default=6)
    args = ap.parse_args()
    torch.manual_seed(9)

    x, y, _ = simulate(4000, 1)
    xv, yv, floor_v = simulate(1000, 2)
    xt, yt, floor_t = simulate(2000, 3)
    model = MixtureDensityNet(x.shape[1], k=args.components)
    opt = torch.optim.Adam(model.parameters(), lr=args.lr)
    sched = torch.optim.lr_scheduler.ReduceLROnPlateau(opt, factor=0.3, patience=4, threshold=1e-3, threshold_mode="abs")
    stopper = EarlyStop(args.patience, 1e-3)

    for epoch in range(1, args.max_epochs + 1):
        model.train()
        total = 0.0
        for idx in torch.randperm(len(y)).split(args.batch):
            loss = model.nll(x[idx], y[idx])
            opt.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 10.0)
            opt.step()
            total += loss.item() * len(idx)
        model.eval()
        with torch.no_grad():
            val = model.nll(xv, yv).item()
        sched.step(val)
        if epoch % 5 == 0 or epoch == 1:
            print(f"epoch {epoch:3d} train nll {total / len(y):+.4f} val nll {val:+.4f} (true density {floor_v:+.4f})")
        if stopper.update(val, model):
            print(f"no improvement for {args.patience} epochs, stopping at epoch {epoch}")
            break

    model.load_state_dict(stopper.state)
    model.eval()
    with torch.no_grad():
        nll = model.nll(xt, yt).item()
    pit = model.cdf(xt, yt)
    ks = (pit.sort().values - (torch.arange(len(pit)) + 0.5) / len(pit)).abs().max().item()
    print(f"test nll {nll:+.4f}, true density {floor_t:+.4f}, PIT KS distance {ks:.3f}")


if __name__ == "__main__":
    main()
