import argparse
import math

import torch

from encoder import Encoder, Projector, nt_xent
from probe import knn_accuracy
from waves import centre, snippets, two_views

ap = argparse.ArgumentParser()
ap.add_argument("--epochs", type=int, default=20)
ap.add_argument("--batch", type=int, default=128)
ap.add_argument("--lr", type=float, default=2e-3)
ap.add_argument("--temperature", type=float, default=0.2)
ap.add_argument("--seed", type=int, default=42)
args = ap.parse_args()
torch.manual_seed(args.seed)
gen = torch.Generator().manual_seed(args.seed)

pool, _ = snippets(1536, seed=1)
bank_x, bank_y = snippets(240, seed=2)
query_x, query_y = snippets(360, seed=3)
bank_x, query_x = centre(bank_x), centre(query_x)

encoder, projector = Encoder(), Projector()
params = list(encoder.parameters()) + list(projector.parameters())
opt = torch.optim.AdamW(params, lr=args.lr, weight_decay=1e-4)
steps = args.epochs * (len(pool) // args.batch)
warm = 12
sched = torch.optim.lr_scheduler.LambdaLR(
    opt, lambda s: min(1.0, (s + 1) / warm) * 0.5 * (1 + math.cos(math.pi * s / steps)))

print(f"chance loss {math.log(2 * args.batch - 1):.3f}")
print(f"before: knn {knn_accuracy(encoder, bank_x, bank_y, query_x, query_y):.3f}")
for epoch in range(args.epochs):
    order = torch.randperm(len(pool), generator=gen)
    total = 0.0
    n = len(pool) // args.batch
    for b in range(n):
        x = pool[order[b * args.batch:(b + 1) * args.batch]]
        va, vb = two_views(x, gen)
        loss = nt_xent(projector(encoder(va)), projector(encoder(vb)), args.temperature)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        total += loss.item()
    if epoch % 2 == 1:
        acc = knn_accuracy(encoder, bank_x, bank_y, query_x, query_y)
        print(f"epoch {epoch + 1:2d} contrastive {total / n:.3f} knn {acc:.3f}")
