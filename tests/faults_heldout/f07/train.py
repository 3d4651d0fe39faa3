import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader

from pointcls.clouds import SHAPES, Clouds
from pointcls.meters import Board
from pointcls.model import PointNet


def run_train(model, loader, opt, loss_fn, board):
    model.train()
    for cloud, y in loader:
        logits = model(cloud)
        loss = loss_fn(logits, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        board.add("train/loss", loss.detach(), len(y))
        board.add("train/acc", (logits.argmax(1) == y).float().mean(), len(y))


@torch.no_grad()
def run_valid(model, loader, loss_fn, board):
    model.eval()
    for cloud, y in loader:
        logits = model(cloud)
        board.add("valid/loss", loss_fn(logits, y), len(y))
        board.add("valid/acc", (logits.argmax(1) == y).float().mean(), len(y))


def main(argv=None):
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=12)
    p.add_argument("--lr", type=float, default=5e-4)
    p.add_argument("--batch-size", type=int, default=32)
    args = p.parse_args(argv)
    torch.manual_seed(2)
    train_dl = DataLoader(Clouds(2000, seed=1), args.batch_size, shuffle=True)
    valid_dl = DataLoader(Clouds(600, seed=2), 200)
    model, loss_fn, board = PointNet(len(SHAPES)), nn.CrossEntropyLoss(), Board()
    opt = torch.optim.Adam(model.parameters(), lr=args.lr)
    for epoch in range(args.epochs):
        run_train(model, train_dl, opt, loss_fn, board)
        run_valid(model, valid_dl, loss_fn, board)
        row = board.flush(epoch)
        print(f"[{epoch:02d}] " + "  ".join(f"{k} {v:.4f}" for k, v in sorted(row.items())))


if __name__ == "__main__":
    main()
