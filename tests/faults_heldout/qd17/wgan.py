"""WGAN-GP that draws detector pulses."""
import numpy as np
import torch
from torch import nn

OPTIONS = {
    "steps": 1500,
    "critic_steps": 3,
    "batch": 128,
    "latent": 8,
    "lr": 5e-4,
    "betas": (0.0, 0.9),
    "penalty": 10.0,
    "average": 0.99,
}


def mlp(i, o, h=128):
    return nn.Sequential(nn.Linear(i, h), nn.LeakyReLU(0.2), nn.Linear(h, h), nn.LeakyReLU(0.2), nn.Linear(h, o))


def sliced_distance(a, b, directions=200):
    gen = torch.Generator().manual_seed(0)
    w = torch.randn(a.shape[1], directions, generator=gen)
    w = w / w.norm(dim=0)
    return ((a @ w).sort(0).values - (b @ w).sort(0).values).abs().mean().item()


def gradient_penalty(critic, real, fake):
    u = torch.rand(len(real), 1)
    mix = (u * real + (1 - u) * fake).requires_grad_(True)
    grad, = torch.autograd.grad(critic(mix).sum(), mix, create_graph=True)
    return (grad.norm(dim=1) - 1).square().mean()


class Average:
    def __init__(self, net, keep):
        self.keep, self.net = keep, net
        self.shadow = {k: v.clone() for k, v in net.state_dict().items()}

    def update(self):
        for k, v in self.net.state_dict().items():
            self.shadow[k].lerp_(v, 1 - self.keep)


def main(o):
    torch.manual_seed(40)
    pulses = torch.from_numpy(np.load("pulses.npy").astype(np.float32))
    pulses = pulses / pulses.abs().max()
    perm = torch.randperm(len(pulses))
    train, held = pulses[perm[:2200]], pulses[perm[2200:]]
    gen, critic = mlp(o["latent"], pulses.shape[1]), mlp(pulses.shape[1], 1)
    g_opt = torch.optim.Adam(gen.parameters(), lr=o["lr"], betas=o["betas"])
    c_opt = torch.optim.Adam(critic.parameters(), lr=o["lr"], betas=o["betas"])
    average = Average(gen, o["average"])
    probe = mlp(o["latent"], pulses.shape[1])
    noise = torch.randn(len(held), o["latent"], generator=torch.Generator().manual_seed(9))

    print(f"floor: training against held-out pulses {sliced_distance(train[:len(held)], held):.4f}")
    for step in range(1, o["steps"] + 1):
        for _ in range(o["critic_steps"]):
            real = train[torch.randint(len(train), (o["batch"],))]
            with torch.no_grad():
                fake = gen(torch.randn(o["batch"], o["latent"]))
            wdist = critic(real).mean() - critic(fake).mean()
            c_loss = -wdist + o["penalty"] * gradient_penalty(critic, real, fake)
            c_opt.zero_grad()
            c_loss.backward()
            c_opt.step()
        g_loss = -critic(gen(torch.randn(o["batch"], o["latent"]))).mean()
        g_opt.zero_grad()
        g_loss.backward()
        g_opt.step()
        average.update()
        if step % 250 == 0 or step == 1:
            probe.load_state_dict(average.shadow)
            with torch.no_grad():
                made = probe(noise)
            tall = (made.max(1).values > 0.55 * held.max()).float().mean().item()
            print(f"{step:5d}  critic {c_loss.item():+.3f}  generator {g_loss.item():+.3f}  "
                  f"sliced distance {sliced_distance(made, held):.4f}  share of tall pulses {tall:.2f}")
    print("share of tall pulses in the data %.2f" % (held.max(1).values > 0.55 * held.max()).float().mean())


if __name__ == "__main__":
    main(OPTIONS)
