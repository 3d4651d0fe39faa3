import argparse

import torch

from model import MultVAE, objective
from ratings import fold_out, recall_at, visits

ap = argparse.ArgumentParser()
ap.add_argument("--epochs", type=int, default=40)
ap.add_argument("--drop", type=float, default=0.65)
ap.add_argument("--decay", type=float, default=0.3)
ap.add_argument("--beta", type=float, default=0.2)
ap.add_argument("--seed", type=int, default=23)
args = ap.parse_args()
torch.manual_seed(args.seed)

train = visits(1500, seed=1)
given, wanted = fold_out(visits(400, seed=2))
net = MultVAE(train.shape[1], drop=args.drop)
opt = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=args.decay)
popular = recall_at(train.sum(0).expand_as(given), given, wanted)
print(f"most popular articles: recall@20 {popular:.4f}")
step = 0
for epoch in range(1, args.epochs + 1):
    net.train()
    rec_sum = kl_sum = 0.0
    for idx in torch.randperm(len(train)).split(50):
        x = train[idx]
        step += 1
        loss, rec, kl = objective(*(lambda o: (o[0], x, o[1], o[2]))(net(x)), args.beta * min(1.0, step / 300))
        opt.zero_grad()
        loss.backward()
        opt.step()
        rec_sum += rec.item() * len(x)
        kl_sum += kl.item() * len(x)
    net.eval()
    with torch.no_grad():
        tr_rec = -(train * net(train)[0].log_softmax(1)).sum(1).mean().item()
        r = recall_at(net(given)[0], given, wanted)
    if epoch % 4 == 0:
        print(f"epoch {epoch:2d} rec {rec_sum / len(train):.3f} (eval mode {tr_rec:.3f}) kl {kl_sum / len(train):.3f} | recall@20 {r:.4f}")
