import argparse

import torch
import torch.nn.functional as F
from sklearn.metrics import matthews_corrcoef

from seqmodel.optim import build_optimizer, warmup_cosine
from seqmodel.promoters import make_loaders
from seqmodel.transformer import PromoterTransformer


def get_args():
    p = argparse.ArgumentParser()
    p.add_argument("--n-train", type=int, default=2400)
    p.add_argument("--n-valid", type=int, default=500)
    p.add_argument("--length", type=int, default=50)
    p.add_argument("--batch-size", type=int, default=50)
    p.add_argument("--epochs", type=int, default=6)
    p.add_argument("--lr", type=float, default=3e-3)
    p.add_argument("--weight-decay", type=float, default=0.02)
    p.add_argument("--smoothing", type=float, default=0.05)
    p.add_argument("--seed", type=int, default=404)
    return p.parse_args()


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    pred, true = [], []
    for x, y in loader:
        pred.append(model(x).argmax(1))
        true.append(y)
    pred, true = torch.cat(pred), torch.cat(true)
    return (pred == true).float().mean().item(), matthews_corrcoef(true.numpy(), pred.numpy())


def main():
    args = get_args()
    torch.manual_seed(args.seed)
    train, valid = make_loaders(args)
    model = PromoterTransformer(args.length)
    optimizer = build_optimizer(model, args.lr, args.weight_decay)
    total = args.epochs * len(train)
    scheduler = warmup_cosine(optimizer, warmup=total // 15, total=total)

    for epoch in range(args.epochs):
        model.train()
        running = 0.0
        for x, y in train:
            loss = F.cross_entropy(model(x), y, label_smoothing=args.smoothing)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            scheduler.step()
            running += loss.item()
        acc, mcc = evaluate(model, valid)
        print(f"epoch {epoch}: loss {running / len(train):.4f} | valid acc {acc:.4f} mcc {mcc:.3f} | lr {scheduler.get_last_lr()[0]:.2e}")


if __name__ == "__main__":
    main()
