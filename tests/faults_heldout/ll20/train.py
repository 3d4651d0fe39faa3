import argparse

import torch
import torch.nn.functional as F

from experts import FlatModel
from flats import load


def options():
    p = argparse.ArgumentParser(description="price and speed of sale of flats, sparse mixture of experts")
    p.add_argument("--epochs", type=int, default=25)
    p.add_argument("--batch", type=int, default=100)
    p.add_argument("--lr", type=float, default=3e-3)
    p.add_argument("--balance", type=float, default=0.01)
    p.add_argument("--precision", choices=["fp32", "bf16"], default="bf16")
    p.add_argument("--seed", type=int, default=29)
    return p.parse_args()


def amp(o):
    return torch.autocast("cpu", dtype=torch.bfloat16, enabled=o.precision == "bf16")


@torch.no_grad()
def evaluate(model, book, part, o):
    model.eval()
    with amp(o):
        price, sold, _, used = model(part.x)
    ape = ((book.to_euro(price) - part.price).abs() / part.price).median().item()
    return (F.mse_loss(price, part.log_price).item(), ape,
            F.binary_cross_entropy_with_logits(sold, part.sold).item(),
            ((sold > 0) == part.sold.bool()).float().mean().item(), used)


def main():
    o = options()
    torch.manual_seed(o.seed)
    book = load(o.seed)
    t = book.train
    model = FlatModel(t.x.size(1))
    opt = torch.optim.AdamW(model.parameters(), lr=o.lr, weight_decay=0.01)
    steps = o.epochs * (len(t.x) // o.batch)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=o.lr, total_steps=steps, pct_start=0.15)

    for epoch in range(1, o.epochs + 1):
        model.train()
        total = 0.0
        for idx in torch.randperm(len(t.x)).split(o.batch):
            with amp(o):
                price, sold, balance, _ = model(t.x[idx])
            task = model.combine(F.mse_loss(price, t.log_price[idx]),
                                 F.binary_cross_entropy_with_logits(sold, t.sold[idx]))
            loss = task + o.balance * balance
            opt.zero_grad(set_to_none=True)
            loss.backward()
            opt.step()
            sched.step()
            total += loss.item() * len(idx)
        if epoch % 2 == 1:
            mse, ape, bce, acc, used = evaluate(model, book, book.val, o)
            print(f"epoch {epoch:2d}  loss {total / len(t.x):+.4f}  val price mse {mse:.4f} ({100 * ape:.1f}% median error)  "
                  f"val sold bce {bce:.4f} acc {acc:.3f}  experts {' '.join(f'{u:.2f}' for u in used.tolist())}")

    mse, ape, bce, acc, _ = evaluate(model, book, book.test, o)
    base = max(book.test.sold.mean().item(), 1 - book.test.sold.mean().item())
    print(f"test: median price error {100 * ape:.1f}%, sold in 30 days accuracy {acc:.3f} (majority {base:.3f})")


if __name__ == "__main__":
    main()
