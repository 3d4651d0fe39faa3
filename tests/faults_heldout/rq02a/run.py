import csv
import tomllib

import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn
from torch.utils.data import DataLoader, TensorDataset

from net import Denoiser
from schedule import Diffusion


def images(cfg):
    x = torch.tensor(load_digits().data, dtype=torch.float32) / 8.0 - 1.0
    tr, va = train_test_split(x, test_size=cfg["holdout"], random_state=cfg["split_seed"])
    return tr, va


@torch.no_grad()
def holdout_error(net, diff, x, seed):
    net.eval()
    g = torch.Generator().manual_seed(seed)
    t = torch.randint(diff.steps, (len(x) * 4,), generator=g)
    noise = torch.randn(len(x) * 4, x.shape[1], generator=g)
    pred = net(diff.corrupt(x.repeat(4, 1), t, noise), t)
    return (pred - noise).pow(2).mean().item()


def main():
    with open("settings.toml", "rb") as f:
        cfg = tomllib.load(f)
    torch.manual_seed(cfg["seed"])
    train, valid = images(cfg["data"])
    diff = Diffusion(cfg["diffusion"]["steps"])
    net = Denoiser(train.shape[1], **cfg["net"])
    opt = torch.optim.AdamW(net.parameters(), **cfg["optimizer"])
    shadow = AveragedModel(net, multi_avg_fn=get_ema_multi_avg_fn(cfg["average"]["decay"]))
    epochs = cfg["run"]["epochs"]
    loader = DataLoader(TensorDataset(train), cfg["run"]["batch"], shuffle=True, drop_last=True)

    with open("history.csv", "w", newline="") as f:
        out = csv.writer(f)
        out.writerow(["epoch", "train", "holdout"])
        for epoch in range(1, epochs + 1):
            net.train()
            total = 0.0
            for (x0,) in loader:
                t = torch.randint(diff.steps, (len(x0),))
                noise = torch.randn_like(x0)
                loss = (net(diff.corrupt(x0, t, noise), t) - noise).pow(2).mean()
                opt.zero_grad()
                loss.backward()
                opt.step()
                shadow.update_parameters(net)
                total += loss.item()
            if epoch % 5 == 0:
                err = holdout_error(shadow, diff, valid, cfg["seed"])
                out.writerow([epoch, total / len(loader), err])
                print(f"epoch {epoch:3d}  train {total / len(loader):.4f}  holdout {err:.4f}")

    g = torch.Generator().manual_seed(1)
    imgs = diff.sample(shadow, 64, train.shape[1], g)
    print(f"samples: mean {imgs.mean():.3f} (data {train.mean():.3f}), std {imgs.std():.3f} (data {train.std():.3f})")
    torch.save(shadow.module.state_dict(), "denoiser.pt")


if __name__ == "__main__":
    main()
