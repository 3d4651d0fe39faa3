from pathlib import Path

import torch
import torch.nn.functional as F
import yaml
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from nets import MultiTaskNet

CONF = yaml.safe_load(Path(__file__).with_name("experiment.yaml").read_text())


def dataset(seed):
    x, y = load_digits(return_X_y=True)
    xt, xv, yt, yv = train_test_split(x / 16.0, y, test_size=0.25, random_state=seed, stratify=y)
    mean = xt.mean(0)
    to = lambda a: torch.tensor(a - mean, dtype=torch.float32)
    return to(xt), torch.tensor(yt), to(xv), torch.tensor(yv)


def task_losses(out, x, y):
    return {
        "digit": F.cross_entropy(out["digit"], y),
        "parity": F.binary_cross_entropy_with_logits(out["parity"], (y % 2).float()),
        "reconstruction": F.mse_loss(out["reconstruction"], x),
    }


def main():
    torch.manual_seed(CONF["seed"])
    xt, yt, xv, yv = dataset(CONF["seed"])
    model = MultiTaskNet(**CONF["model"])
    tr, weights = CONF["training"], CONF["loss_weights"]
    opt = torch.optim.SGD(model.parameters(), lr=tr["lr"], momentum=tr["momentum"])
    for epoch in range(tr["epochs"]):
        model.train()
        sums = {}
        batches = torch.randperm(len(xt)).split(tr["batch_size"])
        for idx in batches:
            losses = task_losses(model(xt[idx]), xt[idx], yt[idx])
            total = sum(weights[k] * v for k, v in losses.items())
            opt.zero_grad()
            total.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), tr["clip_norm"])
            opt.step()
            for k, v in losses.items():
                sums[k] = sums.get(k, 0.0) + v.item() / len(batches)
        model.eval()
        with torch.no_grad():
            out = model(xv)
        acc = (out["digit"].argmax(1) == yv).float().mean()
        par = ((out["parity"] > 0) == (yv % 2 == 1)).float().mean()
        print(f"epoch {epoch:2d} " + " ".join(f"{k}={v:.4f}" for k, v in sums.items()) +
              f" | val digit acc {acc:.3f} parity acc {par:.3f} rec mse {F.mse_loss(out['reconstruction'], xv):.4f}")


if __name__ == "__main__":
    main()
