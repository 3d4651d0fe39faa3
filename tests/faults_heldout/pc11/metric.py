import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits


class Embedder(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 16, 3, padding=1), nn.GroupNorm(4, 16), nn.ReLU(),
            nn.Conv2d(16, 32, 3, padding=1, stride=2), nn.GroupNorm(4, 32), nn.ReLU(),
        )
        self.fc = nn.Linear(32 * 16, dim)

    def forward(self, x):
        return F.normalize(self.fc(self.features(x).flatten(1)), dim=1)


def pk_batches(labels, p, k, steps, gen):
    """p classes with k samples each."""
    classes = labels.unique()
    pools = {int(c): (labels == c).nonzero().squeeze(1) for c in classes}
    for _ in range(steps):
        pick = classes[torch.randperm(len(classes), generator=gen)[:p]]
        yield torch.cat([pools[int(c)][torch.randperm(len(pools[int(c)]), generator=gen)[:k]] for c in pick])


def semi_hard_triplets(z, y, margin):
    """For every positive pair the nearest negative that is farther than the positive, if there is one inside the
    margin, else a random negative."""
    d = torch.cdist(z, z).detach()
    same = y[:, None] == y[None, :]
    a, p = torch.where(same & ~torch.eye(len(y), dtype=torch.bool))
    dap = d[a, p][:, None]
    neg = ~same[a]
    cand = d[a].masked_fill(~neg | (d[a] <= dap), float("inf"))
    val, n = cand.min(1)
    rnd = torch.multinomial(neg.float(), 1).squeeze(1)
    n = torch.where(val < dap.squeeze(1) + margin, n, rnd)
    return a, p, n


def triplet_loss(z, y, margin):
    a, p, n = semi_hard_triplets(z, y, margin)
    dp = (z[a] - z[p]).square().sum(1).clamp_min(1e-9).sqrt()
    dn = (z[a] - z[n]).square().sum(1).clamp_min(1e-9).sqrt()
    hinge = F.relu(dp - dn + margin)
    active = hinge > 0
    return hinge.sum() / active.sum().clamp_min(1), active.float().mean().item()


@torch.no_grad()
def retrieval(net, x, y):
    net.eval()
    z = net(x)
    d = torch.cdist(z, z)
    d.fill_diagonal_(float("inf"))
    order = d.argsort(1)
    hit = (y[order] == y[:, None])[:, :-1].float()
    r1 = hit[:, 0].mean().item()
    prec = hit.cumsum(1) / torch.arange(1, hit.shape[1] + 1)
    ap = (prec * hit).sum(1) / hit.sum(1)
    return r1, ap.mean().item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--margin", type=float, default=0.25)
    ap.add_argument("--dim", type=int, default=32)
    ap.add_argument("--epochs", type=int, default=12)
    ap.add_argument("--steps", type=int, default=25)
    ap.add_argument("--lr", type=float, default=1e-3)
    args = ap.parse_args()
    torch.manual_seed(31)
    gen = torch.Generator().manual_seed(31)

    data = load_digits()
    x = torch.tensor(data.images, dtype=torch.float32).unsqueeze(1) / 16
    y = torch.tensor(data.target)
    perm = torch.randperm(len(y), generator=gen)
    tr, te = perm[:1200], perm[1200:]
    print(f"{len(tr)} training images, {len(te)} held-out images")

    net = Embedder(args.dim)
    opt = torch.optim.Adam(net.parameters(), lr=args.lr)
    print("before training: held-out R@1 %.3f mAP %.3f" % retrieval(net, x[te], y[te]))
    for epoch in range(1, args.epochs + 1):
        net.train()
        tot = act = 0.0
        for b in pk_batches(y[tr], 8, 8, args.steps, gen):
            i = tr[b]
            shifted = x[i] + 0.05 * torch.randn(x[i].shape, generator=gen)
            loss, active = triplet_loss(net(shifted), y[i], args.margin)
            opt.zero_grad()
            loss.backward()
            opt.step()
            tot, act = tot + loss.item(), act + active
        if epoch % 2 == 0:
            print("epoch %2d loss %.4f active triplets %.2f | held-out R@1 %.3f mAP %.3f"
                  % (epoch, tot / args.steps, act / args.steps, *retrieval(net, x[te], y[te])))


if __name__ == "__main__":
    main()
