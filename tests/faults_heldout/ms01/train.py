import argparse
import math

import torch
from torch import nn

from corpus import Alphabet, make_text
from model import CharGRU, sample


def batchify(ids, n_streams):
    """Cut the text into n_streams long columns: (time, n_streams)."""
    n = len(ids) // n_streams
    return torch.tensor(ids[: n * n_streams]).view(n_streams, n).t().contiguous()


def chunks(data, bptt):
    for i in range(0, data.size(0) - 1, bptt):
        n = min(bptt, data.size(0) - 1 - i)
        yield data[i:i + n], data[i + 1:i + 1 + n]


def evaluate(model, data, bptt):
    model.eval()
    state = model.initial(data.size(1))
    total, count = 0.0, 0
    with torch.no_grad():
        for x, y in chunks(data, bptt):
            logits, state = model(x, state)
            total += nn.functional.cross_entropy(logits.flatten(0, 1), y.flatten(), reduction="sum").item()
            count += y.numel()
    return total / count


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=8)
    ap.add_argument("--streams", type=int, default=16)
    ap.add_argument("--bptt", type=int, default=40)
    ap.add_argument("--lr", type=float, default=4e-3)
    ap.add_argument("--clip", type=float, default=1.0)
    ap.add_argument("--seed", type=int, default=3)
    args = ap.parse_args()
    torch.manual_seed(args.seed)

    train_text, val_text = make_text(480, 10), make_text(60, 11)
    alphabet = Alphabet(train_text)
    train = batchify(alphabet.encode(train_text), args.streams)
    val = batchify(alphabet.encode(val_text), 4)

    model = CharGRU(len(alphabet))
    opt = torch.optim.Adam(model.parameters(), lr=args.lr)
    sched = torch.optim.lr_scheduler.StepLR(opt, step_size=3, gamma=0.4)

    for epoch in range(args.epochs):
        model.train()
        state = model.initial(args.streams)
        total, count = 0.0, 0
        for x, y in chunks(train, args.bptt):
            state = state.detach()
            logits, state = model(x, state)
            loss = nn.functional.cross_entropy(logits.flatten(0, 1), y.flatten())
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), args.clip)
            opt.step()
            total += loss.item() * y.numel()
            count += y.numel()
        sched.step()
        v = evaluate(model, val, args.bptt)
        print(f"epoch {epoch}  train ppl {math.exp(total / count):6.2f}  val ppl {math.exp(v):6.2f}  val bpc {v / math.log(2):.3f}")

    print(sample(model, alphabet, "oslo: "))


if __name__ == "__main__":
    main()
