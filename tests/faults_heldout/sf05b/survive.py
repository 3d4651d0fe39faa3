import torch
from torch import nn

from cohort import Cohort
from hazard import concordance, partial_nll

STEPS, BATCH = 900, 128


def epochs(n, gen):
    while True:
        yield from torch.randperm(n, generator=gen).split(BATCH)


def main():
    torch.manual_seed(2024)
    dev, val = Cohort.read("development.npz"), Cohort.read("validation.npz")
    mean, std = dev.markers.mean(0), dev.markers.std(0) + 1e-6
    dev.standardise(mean, std)
    val.standardise(mean, std)
    print(len(dev), "patients for development,", len(val), "for validation")

    net = nn.Sequential(nn.Linear(dev.markers.shape[1], 32), nn.ReLU(), nn.Dropout(0.3),
                        nn.Linear(32, 16), nn.ReLU(), nn.Dropout(0.3), nn.Linear(16, 1))
    opt = torch.optim.AdamW(net.parameters(), lr=1e-3, weight_decay=0.05)
    gen = torch.Generator().manual_seed(1)
    source = epochs(len(dev), gen)
    seen = 0.0
    for step in range(1, STEPS + 1):
        x, t, d = dev.take(next(source))
        opt.zero_grad()
        loss = partial_nll(net(x).squeeze(1), t, d)
        loss.backward()
        opt.step()
        seen += loss.item()
        if step % 60 == 0:
            net.eval()
            with torch.no_grad():
                r = net(val.markers).squeeze(1)
                parts = [partial_nll(r[i], val.months[i], val.died[i]).item()
                         for i in torch.arange(len(val)).split(BATCH)]
            net.train()
            print(f"step {step}: dev nll {seen / 60:.4f}, val nll {sum(parts) / len(parts):.4f}, "
                  f"c-index {concordance(r, val.months, val.died):.3f}")
            seen = 0.0


if __name__ == "__main__":
    main()
