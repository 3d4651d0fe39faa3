import configparser
from pathlib import Path

import torch

from nets import Critic, Generator
from sampling import ring, sliced_wasserstein

cfg = configparser.ConfigParser()
cfg.read(Path(__file__).parent / "gan.ini")
T = cfg["train"]


def gradient_penalty(critic, real, fake):
    mix = torch.rand(len(real), 1)
    x = (mix * real + (1 - mix) * fake).requires_grad_(True)
    grad, = torch.autograd.grad(critic(x).sum(), x, create_graph=True)
    return (grad.norm(dim=1) - 1).pow(2).mean()


def main():
    torch.manual_seed(T.getint("seed"))
    batch, n_critic, lam = T.getint("batch"), T.getint("n_critic"), T.getfloat("gp_weight")
    G, D = Generator(), Critic()
    betas = (0.5, 0.9)
    opt_g = torch.optim.Adam(G.parameters(), lr=T.getfloat("lr"), betas=betas)
    opt_d = torch.optim.Adam(D.parameters(), lr=T.getfloat("lr"), betas=betas)
    reference = ring(2000)
    print(f"step    0  sliced W {sliced_wasserstein(G.sample(2000).detach(), reference):.4f}")
    for step in range(1, T.getint("steps") + 1):
        for _ in range(n_critic):
            real = ring(batch)
            with torch.no_grad():
                fake = G.sample(batch)
            gap = D(real).mean() - D(fake).mean()
            d_loss = -gap + lam * gradient_penalty(D, real, fake)
            opt_d.zero_grad()
            d_loss.backward()
            opt_d.step()
        g_loss = -D(G.sample(batch)).mean()
        opt_g.zero_grad()
        g_loss.backward()
        opt_g.step()
        if step % 150 == 0:
            with torch.no_grad():
                sw = sliced_wasserstein(G.sample(2000), reference)
            print(f"step {step:4d}  critic gap {gap.item():+.3f}  g_loss {g_loss.item():+.3f}  sliced W {sw:.4f}")
    print(f"real vs real {sliced_wasserstein(ring(2000), reference):.4f}")


if __name__ == "__main__":
    main()
