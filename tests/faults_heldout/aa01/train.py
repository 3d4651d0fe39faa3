import argparse

import torch
import torch.nn.functional as F

from digitnet import DigitNet, build_loaders


def evaluate(model, loader):
    model.eval()
    correct, total, loss_sum = 0, 0, 0.0
    with torch.no_grad():
        for x, y in loader:
            logits = model(x)
            loss_sum += F.cross_entropy(logits, y, reduction="sum").item()
            correct += (logits.argmax(1) == y).sum().item()
            total += len(y)
    return loss_sum / total, correct / total


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=14)
    ap.add_argument("--lr", type=float, default=2e-3)
    ap.add_argument("--batch-size", type=int, default=48)
    ap.add_argument("--val-batch-size", type=int, default=4)
    ap.add_argument("--seed", type=int, default=3)
    args = ap.parse_args()

    torch.manual_seed(args.seed)
    train_loader, val_loader = build_loaders(args.batch_size, args.val_batch_size, args.seed)
    model = DigitNet()
    opt = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=1e-4)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, args.epochs)

    for epoch in range(args.epochs):
        model.train()
        running = 0.0
        for x, y in train_loader:
            loss = F.cross_entropy(model(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            running += loss.item()
        sched.step()
        val_loss, val_acc = evaluate(model, val_loader)
        print(f"epoch {epoch + 1:2d}  train {running / len(train_loader):.3f}  val {val_loss:.3f}  acc {val_acc:.3f}")


if __name__ == "__main__":
    main()
