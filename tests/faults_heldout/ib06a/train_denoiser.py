import json
from dataclasses import dataclass, fields

import torch
from sklearn.datasets import load_digits

from denoise import Denoiser, WeightAverage, perturb, weighting


@dataclass
class Options:
    seed: int = 0
    width: int = 128
    depth: int = 3
    batch_size: int = 64
    kimg: int = 60
    lr: float = 1e-3
    ema_halflife_kimg: float = 2.0
    report_kimg: int = 10

    @classmethod
    def from_file(cls, path):
        raw = json.load(open(path))
        unknown = set(raw) - {f.name for f in fields(cls)}
        if unknown:
            raise KeyError(f"unknown options: {sorted(unknown)}")
        return cls(**raw)


def digit_images():
    x = torch.tensor(load_digits().data, dtype=torch.float32) / 8 - 1
    x = x * 0.5 / x.std()
    order = torch.randperm(len(x), generator=torch.Generator().manual_seed(1))
    return x[order[:1500]], x[order[1500:]]


@torch.no_grad()
def validate(net, x):
    gen = torch.Generator().manual_seed(99)
    noisy, sigma = perturb(x.repeat(8, 1), gen)
    err = (net(noisy, sigma) - x.repeat(8, 1)) ** 2
    return (weighting(sigma) * err).mean().item(), err.mean().item()


def main():
    opt = Options.from_file("options.json")
    torch.manual_seed(opt.seed)
    train, val = digit_images()
    net = Denoiser(train.shape[1], opt.width, opt.depth)
    averaged = WeightAverage(net, opt.ema_halflife_kimg, opt.batch_size)
    optim = torch.optim.Adam(net.parameters(), lr=opt.lr)
    seen, since, acc = 0, 0, 0.0
    while seen < opt.kimg * 1000:
        x = train[torch.randint(len(train), (opt.batch_size,))]
        noisy, sigma = perturb(x)
        loss = (weighting(sigma) * (net(noisy, sigma) - x) ** 2).mean()
        optim.zero_grad()
        loss.backward()
        optim.step()
        averaged.update(net)
        seen += opt.batch_size
        since += 1
        acc += loss.item()
        if seen // (opt.report_kimg * 1000) != (seen - opt.batch_size) // (opt.report_kimg * 1000):
            wl, mse = validate(averaged.net, val)
            print(f"{seen / 1000:6.1f} kimg  train {acc / since:.4f}  val {wl:.4f}  val mse {mse:.4f}")
            since, acc = 0, 0.0
    torch.save(averaged.net.state_dict(), "denoiser.pt")


if __name__ == "__main__":
    main()
