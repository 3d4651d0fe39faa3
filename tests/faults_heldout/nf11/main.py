from types import SimpleNamespace

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits

from ssl_digits import Encoder, Projector, nt_xent, two_views

HP = SimpleNamespace(seed=17, test=400, labelled=200, pre_epochs=11, batch=128, lr=3e-3, temperature=0.2, probe_steps=60)


def pretrain(encoder, images):
    head = Projector(encoder.out_dim)
    opt = torch.optim.AdamW([*encoder.parameters(), *head.parameters()], lr=HP.lr, weight_decay=1e-4)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, HP.pre_epochs)
    encoder.train()
    for ep in range(HP.pre_epochs):
        total = n = 0
        for idx in torch.randperm(len(images)).split(HP.batch):
            if len(idx) < HP.batch:
                continue
            a, b = two_views(images[idx])
            loss = nt_xent(head(encoder(a)), head(encoder(b)), HP.temperature)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total, n = total + loss.item(), n + 1
        sched.step()
        if ep % 2 == 0:
            print(f"pretrain {ep:2d}  nt-xent {total / n:.4f}")


def probe(encoder, x, y, xt, yt):
    encoder.requires_grad_(False)
    encoder.eval()
    f, ft = encoder(x), encoder(xt)
    mu, sd = f.mean(0), f.std(0) + 1e-3
    f, ft = (f - mu) / sd, (ft - mu) / sd
    clf = torch.nn.Linear(encoder.out_dim, 10)
    opt = torch.optim.SGD(clf.parameters(), lr=0.03, momentum=0.9, weight_decay=1e-3)
    for step in range(HP.probe_steps):
        loss = F.cross_entropy(clf(f), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 20 == 0 or step == HP.probe_steps - 1:
            with torch.no_grad():
                z = clf(ft)
            print(f"probe {step:3d}  fit {loss.item():.4f}  test {F.cross_entropy(z, yt).item():.4f}"
                  f"  acc {(z.argmax(1) == yt).float().mean().item():.4f}")


def main():
    torch.manual_seed(HP.seed)
    d = load_digits()
    x = torch.tensor(d.images, dtype=torch.float32)[:, None] / 8 - 1
    y = torch.tensor(d.target)
    perm = torch.randperm(len(x))
    test, pool = perm[: HP.test], perm[HP.test:]
    encoder = Encoder()
    pretrain(encoder, x[pool])
    few = pool[: HP.labelled]
    probe(encoder, x[few], y[few], x[test], y[test])


if __name__ == "__main__":
    main()
