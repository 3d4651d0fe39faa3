import argparse
import math

import torch

from trusses import collate, load
from trussnet import TrussNet

ap = argparse.ArgumentParser()
ap.add_argument("--design", default="design.jsonl")
ap.add_argument("--design-sag", default="design_sag.tsv")
ap.add_argument("--check", default="check.jsonl")
ap.add_argument("--check-sag", default="check_sag.tsv")
ap.add_argument("--epochs", type=int, default=36)
ap.add_argument("--lr", type=float, default=2.5e-3)
ap.add_argument("--batch", type=int, default=24)
ap.add_argument("--beta", type=float, default=0.5)
ap.add_argument("--seed", type=int, default=12)
opt = ap.parse_args()

torch.manual_seed(opt.seed)
torch.set_num_threads(1)

graphs, sag = load(opt.design, opt.design_sag)
check, check_sag = load(opt.check, opt.check_sag)
mu, sd = sag.mean(), sag.std()
check_batch = collate(check)

net = TrussNet(graphs[0]["v"].shape[1], graphs[0]["e"].shape[1])
adam = torch.optim.AdamW(net.parameters(), lr=opt.lr, weight_decay=1e-3)
total = opt.epochs * math.ceil(len(graphs) / opt.batch)
sched = torch.optim.lr_scheduler.OneCycleLR(adam, opt.lr, total_steps=total, pct_start=0.2)


def beta_nll(mean, std, target):
    # Seitzer et al.: weigh the Gaussian NLL by var^beta so hard points keep their gradient
    z = (target - mean) / std
    nll = 0.5 * z.square() + std.log()
    return (nll * std.detach().pow(2 * opt.beta)).mean(), nll.mean()


def evaluate():
    net.eval()
    with torch.no_grad():
        mean, std = net(check_batch)
    y = (check_sag - mu) / sd
    r2 = 1 - (mean - y).square().mean() / y.var(unbiased=False)
    inside = ((mean - y).abs() < 1.645 * std).float().mean()
    nll = (0.5 * ((y - mean) / std).square() + std.log()).mean()
    return nll.item(), r2.item(), inside.item()


for epoch in range(opt.epochs):
    net.train()
    log = []
    for chunk in torch.randperm(len(graphs)).split(opt.batch):
        batch = collate([graphs[i] for i in chunk.tolist()])
        mean, std = net(batch)
        loss, nll = beta_nll(mean, std, (sag[chunk] - mu) / sd)
        adam.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 2.0)
        adam.step()
        sched.step()
        log.append((loss.item(), nll.item()))
    if epoch % 3 == 2:
        l, n = (sum(c) / len(log) for c in zip(*log))
        cn, r2, cover = evaluate()
        print(f"epoch {epoch + 1:>3}  beta-nll {l:+.4f}  nll {n:+.4f}  check nll {cn:+.4f}  R2 {r2:.4f}  90%-band {cover:.2f}")

_, r2, cover = evaluate()
print(f"check trusses: R2={r2:.4f}, 90% band covers {cover:.1%}")
