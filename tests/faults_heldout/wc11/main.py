import argparse
import math
import os

import torch

from charlm.corpus import Corpus, batchify
from charlm.loop import evaluate, train_epoch
from charlm.model import RNNModel

parser = argparse.ArgumentParser(description="Character LSTM language model")
parser.add_argument("--data", default=os.path.dirname(os.path.abspath(__file__)))
parser.add_argument("--emsize", type=int, default=32)
parser.add_argument("--nhid", type=int, default=96)
parser.add_argument("--nlayers", type=int, default=2)
parser.add_argument("--lr", type=float, default=20.0)
parser.add_argument("--clip", type=float, default=0.25)
parser.add_argument("--epochs", type=int, default=4)
parser.add_argument("--batch-size", type=int, default=20)
parser.add_argument("--bptt", type=int, default=35)
parser.add_argument("--dropout", type=float, default=0.05)
parser.add_argument("--seed", type=int, default=1111)
parser.add_argument("--log-interval", type=int, default=50)


def main():
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    corpus = Corpus(args.data)
    train, valid = batchify(corpus.train, args.batch_size), batchify(corpus.valid, 10)
    model = RNNModel(len(corpus.chars), args.emsize, args.nhid, args.nlayers, args.dropout)
    print(f"{len(corpus.chars)} characters, {train.numel()} training positions")

    lr, best = args.lr, None
    for epoch in range(1, args.epochs + 1):
        train_epoch(model, train, lr, args, epoch)
        val = evaluate(model, valid, args.bptt)
        print(f"| end of epoch {epoch} | valid loss {val:.3f} | bits/char {val / math.log(2):.3f}")
        if best is None or val < best:
            best = val
        else:
            lr /= 4.0


if __name__ == "__main__":
    main()
