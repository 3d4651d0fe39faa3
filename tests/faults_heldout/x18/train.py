import torch
import torch.nn.functional as F

from mt.net import SharedNet
from mt.tasks import load

WEIGHTS = {"digit": 1.0, "ink": 0.5, "left": 0.8}
LOSSES = {"digit": F.cross_entropy, "ink": F.mse_loss, "left": F.binary_cross_entropy_with_logits}


def losses(out, batch):
    return {k: fn(out[k], batch[k]) for k, fn in LOSSES.items()}


def take(part, idx):
    return {k: v[idx] for k, v in part.items()}


@torch.no_grad()
def scores(net, part):
    net.eval()
    out = net(part["x"])
    return {"digit acc": (out["digit"].argmax(1) == part["digit"]).float().mean().item(),
            "ink rmse": F.mse_loss(out["ink"], part["ink"]).sqrt().item(),
            "left acc": ((out["left"] > 0) == (part["left"] > 0.5)).float().mean().item()}


def main(epochs=12, batch=40, lr=2e-3):
    torch.manual_seed(51)
    train, test = load(51)
    print("left-heavy share", round(test["left"].mean().item(), 3))
    net = SharedNet()
    opt = torch.optim.Adam(net.parameters(), lr=lr)
    sched = torch.optim.lr_scheduler.ExponentialLR(opt, 0.85)
    for epoch in range(1, epochs + 1):
        net.train()
        sums = dict.fromkeys(WEIGHTS, 0.0)
        for idx in torch.randperm(len(train["x"])).split(batch):
            part = losses(net(train["x"][idx]), take(train, idx))
            opt.zero_grad()
            sum(WEIGHTS[k] * v for k, v in part.items()).backward()
            opt.step()
            for k, v in part.items():
                sums[k] += v.item() * len(idx)
        sched.step()
        line = "  ".join(f"{k} {v / len(train['x']):.3f}" for k, v in sums.items())
        print(f"epoch {epoch:2d} | {line} | " + "  ".join(f"{k} {v:.3f}" for k, v in scores(net, test).items()))


if __name__ == "__main__":
    main()
