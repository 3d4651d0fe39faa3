import argparse

import torch
from torch.utils.data import DataLoader

from graphfam.gnn import FamilyNet
from graphfam.graphs import GraphFamilies
from graphfam.trainer import Trainer

parser = argparse.ArgumentParser(description="Recognise the family of a random graph")
parser.add_argument("--graphs", type=int, default=1200)
parser.add_argument("--epochs", type=int, default=24)
parser.add_argument("--lr", type=float, default=2e-4)
parser.add_argument("--batch", type=int, default=32)
parser.add_argument("--seed", type=int, default=5)


def main(args):
    torch.manual_seed(args.seed)
    train = DataLoader(GraphFamilies(args.graphs, seed=args.seed), batch_size=args.batch, shuffle=True)
    val = DataLoader(GraphFamilies(args.graphs // 4, seed=args.seed + 1000), batch_size=100)
    trainer = Trainer(FamilyNet(), args.lr, args.epochs, len(train))
    trainer.fit(train, val)


if __name__ == "__main__":
    main(parser.parse_args())
