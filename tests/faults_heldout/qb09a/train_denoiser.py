import copy

import torch
from sklearn.datasets import load_digits

import settings as S
from net import Denoiser


def ema_beta(images_seen):
    """Half-life in thousands of images, with an optional ramp-up at the start."""
    halflife = S.EMA_HALFLIFE_KIMG * 1000
    if S.EMA_RAMPUP_RATIO is not None:
        halflife = min(halflife, images_seen * S.EMA_RAMPUP_RATIO)
    return 0.5 ** (S.BATCH / max(halflife, 1e-8))


def sample_sigma(n, gen=None):
    return (torch.randn(n, generator=gen) * 0.9 - 0.7).exp()


def loss_fn(net, clean, sigma, noise):
    out = net(clean + noise * sigma.view(-1, 1, 1, 1), sigma)
    return (out - clean).pow(2).mean()


def main():
    torch.manual_seed(S.SEED)
    images = torch.tensor(load_digits().images, dtype=torch.float32)[:, None]
    images = (images - 4.88) / 6.02
    images = images[torch.randperm(len(images))]
    train, held = images[:1450], images[1450:]

    net = Denoiser(S.WIDTH)
    ema = copy.deepcopy(net).eval().requires_grad_(False)
    optimizer = torch.optim.Adam(net.parameters(), lr=S.LR)

    seen, tick, running = 0, 0, []
    while seen < S.TOTAL_KIMG * 1000:
        batch = train[torch.randint(len(train), (S.BATCH,))]
        loss = loss_fn(net, batch, sample_sigma(S.BATCH), torch.randn_like(batch))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        seen += S.BATCH
        running.append(loss.item())

        beta = ema_beta(seen)
        with torch.no_grad():
            for pe, p in zip(ema.parameters(), net.parameters()):
                pe.lerp_(p, 1 - beta)

        if seen // (S.TICK_KIMG * 1000) > tick:
            tick += 1
            gen = torch.Generator().manual_seed(99)
            with torch.no_grad():
                sigma = sample_sigma(len(held), gen)
                noise = torch.randn(held.shape, generator=gen)
                val = loss_fn(ema, held, sigma, noise).item()
            print(f"tick {tick:<3d} kimg {seen / 1000:<6.1f} loss {sum(running) / len(running):.4f} "
                  f"ema held-out {val:.4f}")
            running = []
    torch.save({"ema": ema.state_dict()}, S.SNAPSHOT)


if __name__ == "__main__":
    main()
