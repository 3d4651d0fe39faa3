import argparse
from pathlib import Path

import torch
from torch.utils.data import DataLoader

from promoter.model import MotifNet
from promoter.stream import ShardStream, load_fixed


def main(argv=None):
    ap = argparse.ArgumentParser()
    ap.add_argument("--shards", default="shards/train.lst")
    ap.add_argument("--valid", default="shards/valid.tsv")
    ap.add_argument("--epochs", type=int, default=9)
    ap.add_argument("--lr", type=float, default=4e-3)
    args = ap.parse_args(argv)
    here = Path(__file__).resolve().parent
    torch.manual_seed(606)

    stream = ShardStream(here / args.shards, seed=6)
    loader = DataLoader(stream, batch_size=64, drop_last=True)
    vx, vy = load_fixed(here / args.valid)
    model = MotifNet(families=int(vy.max()) + 1)
    criterion = torch.nn.CrossEntropyLoss()
    optimizer = torch.optim.RAdam(model.parameters(), lr=args.lr)

    for epoch in range(args.epochs):
        stream.set_epoch(epoch)
        model.train()
        total = correct = seen = 0
        for x, y in loader:
            optimizer.zero_grad()
            out = model(x)
            loss = criterion(out, y)
            loss.backward()
            optimizer.step()
            total += loss.item() * len(y)
            correct += (out.argmax(1) == y).sum().item()
            seen += len(y)
        model.eval()
        with torch.inference_mode():
            out = model(vx)
            vloss, vacc = criterion(out, vy).item(), (out.argmax(1) == vy).float().mean().item()
        print(f"epoch={epoch} seen={seen} loss={total / seen:.4f} acc={correct / seen:.4f} "
              f"valid_loss={vloss:.4f} valid_acc={vacc:.4f}", flush=True)


if __name__ == "__main__":
    main()
