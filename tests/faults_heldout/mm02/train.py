import json
import pathlib

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from nets import Critic, Generator, Judge

cfg = json.loads((pathlib.Path(__file__).parent / "config.json").read_text())
torch.manual_seed(cfg["seed"])

X, Y = load_digits(return_X_y=True)
X = X / 8.0 - 1.0
xtr, xte, ytr, yte = train_test_split(X, Y, test_size=0.25, random_state=0, stratify=Y)
xtr, xte = (torch.tensor(a, dtype=torch.float32) for a in (xtr, xte))
ytr, yte = torch.tensor(ytr), torch.tensor(yte)


def fit_judge():
    net = Judge(10)
    opt = torch.optim.Adam(net.parameters(), 2e-3)
    for ep in range(25):
        for b in torch.randperm(len(xtr)).split(64):
            opt.zero_grad()
            loss = F.cross_entropy(net(xtr[b]), ytr[b])
            loss.backward()
            opt.step()
    net.eval()
    for p in net.parameters():
        p.requires_grad_(False)
    acc = (net(xte).argmax(1) == yte).float().mean().item()
    print(f"judge: test accuracy {acc:.4f}, last loss {loss.item():.4f}")
    return net


def gradient_penalty(critic, real, fake, y):
    eps = torch.rand(len(real), 1)
    mix = (eps * real + (1 - eps) * fake).requires_grad_(True)
    score = critic(mix, y)
    (g,) = torch.autograd.grad(score.sum(), mix, create_graph=True)
    return ((g.norm(2, dim=1) - 1) ** 2).mean()


judge = fit_judge()
G = Generator(cfg["z_dim"], 10, cfg["width"])
D = Critic(10, cfg["width"])
opt_g = torch.optim.Adam(G.parameters(), cfg["lr"], betas=tuple(cfg["betas"]))
opt_d = torch.optim.Adam(D.parameters(), cfg["lr"], betas=tuple(cfg["betas"]))


def batches():
    while True:
        perm = torch.randperm(len(xtr))
        for b in perm.split(cfg["batch"])[:-1]:
            yield xtr[b], ytr[b]


@torch.no_grad()
def score():
    G.eval()
    y = torch.arange(10).repeat_interleave(60)
    x = G(torch.randn(len(y), cfg["z_dim"]), y)
    G.train()
    hit = (judge(x).argmax(1) == y).float().mean().item()
    spread = torch.stack([x[y == c].std(0).mean() for c in range(10)]).mean().item()
    dist = torch.stack([(x[y == c].mean(0) - xte[yte == c].mean(0)).abs().mean() for c in range(10)]).mean().item()
    return hit, spread, dist


real_spread = torch.stack([xte[yte == c].std(0).mean() for c in range(10)]).mean().item()
print(f"within-class spread of the real test digits {real_spread:.3f}")
stream = batches()
for step in range(1, cfg["gen_steps"] + 1):
    for _ in range(cfg["critic_steps"]):
        real, y = next(stream)
        with torch.no_grad():
            fake = G(torch.randn(len(real), cfg["z_dim"]), y)
        w = D(real, y).mean() - D(fake, y).mean()
        gp = gradient_penalty(D, real, fake, y)
        loss_d = -w + cfg["gp_weight"] * gp
        opt_d.zero_grad(set_to_none=True)
        loss_d.backward()
        opt_d.step()

    y = torch.randint(0, 10, (cfg["batch"],))
    loss_g = -D(G(torch.randn(cfg["batch"], cfg["z_dim"]), y), y).mean()
    opt_g.zero_grad(set_to_none=True)
    loss_g.backward()
    opt_g.step()
    if step % cfg["report"] == 0:
        h, s, d = score()
        print(f"step {step:4d} wasserstein {w.item():.3f} gp {gp.item():.4f} loss_g {loss_g.item():+.3f} "
              f"class hit {h:.3f} spread {s:.3f} mean gap {d:.3f}")
