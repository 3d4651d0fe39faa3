"""Word-level language model on a generated phrase-structure corpus."""
import argparse
import math
import random
import time

import torch
import torch.nn.functional as F
from torch import nn

LEXICON = {
    "Det": "the a this every some".split(),
    "Adj": "small red old quiet bright heavy strange green".split(),
    "N": "dog river house child stone garden letter teacher window boat".split(),
    "V": "sees finds likes moves paints follows".split(),
    "VI": "sleeps waits falls sings".split(),
    "P": "near under behind with".split(),
    "C": "and but while".split(),
}


def noun_phrase(rng, depth=0):
    out = [rng.choice(LEXICON["Det"])]
    if rng.random() < 0.5:
        out.append(rng.choice(LEXICON["Adj"]))
    out.append(rng.choice(LEXICON["N"]))
    if depth < 2 and rng.random() < 0.3:
        out += [rng.choice(LEXICON["P"])] + noun_phrase(rng, depth + 1)
    return out


def sentence(rng):
    s = noun_phrase(rng)
    s += [rng.choice(LEXICON["VI"])] if rng.random() < 0.35 else [rng.choice(LEXICON["V"])] + noun_phrase(rng)
    if rng.random() < 0.2:
        s += [rng.choice(LEXICON["C"])] + sentence(rng)[:-1]
    return s + ["."]


def corpus(n_words, seed):
    rng, words = random.Random(seed), []
    while len(words) < n_words:
        words += sentence(rng)
    return words[:n_words]


class LSTMLM(nn.Module):
    def __init__(self, vocab, dim=48, hidden=96):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.rnn = nn.LSTM(dim, hidden, batch_first=True)
        self.out = nn.Linear(hidden, vocab)

    def forward(self, x, state=None):
        h, state = self.rnn(self.embed(x), state)
        return self.out(h), state


class Trainer:
    def __init__(self, model, lr, momentum, clip):
        self.model = model
        self.lr, self.momentum, self.clip = lr, momentum, clip

    @property
    def optimizer(self):
        return torch.optim.SGD(self.model.parameters(), lr=self.lr, momentum=self.momentum, nesterov=True)

    def step(self, x, y, state):
        logits, state = self.model(x, state)
        loss = F.cross_entropy(logits.flatten(0, 1), y.flatten())
        self.optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), self.clip)
        self.optimizer.step()
        return loss.item(), tuple(s.detach() for s in state)

    @torch.no_grad()
    def perplexity(self, stream, bptt):
        self.model.eval()
        state, total, n = None, 0.0, 0
        for x, y in segments(stream, bptt):
            logits, state = self.model(x, state)
            total += F.cross_entropy(logits.flatten(0, 1), y.flatten(), reduction="sum").item()
            n += y.numel()
        self.model.train()
        return math.exp(total / n)


def batchify(ids, rows):
    n = len(ids) // rows
    return torch.tensor(ids[: n * rows]).view(rows, n)


def segments(stream, bptt):
    for s in range(0, stream.shape[1] - 1, bptt):
        e = min(s + bptt, stream.shape[1] - 1)
        yield stream[:, s:e], stream[:, s + 1:e + 1]


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=6)
    ap.add_argument("--rows", type=int, default=16)
    ap.add_argument("--bptt", type=int, default=20)
    ap.add_argument("--lr", type=float, default=0.1)
    ap.add_argument("--momentum", type=float, default=0.9)
    ap.add_argument("--clip", type=float, default=1.0)
    args = ap.parse_args()
    torch.manual_seed(30)

    words = corpus(24000, 1)
    vocab = {w: k for k, w in enumerate(sorted({w for ws in LEXICON.values() for w in ws} | {"."}))}
    train = batchify([vocab[w] for w in words], args.rows)
    valid = batchify([vocab[w] for w in corpus(6000, 2)], args.rows)

    trainer = Trainer(LSTMLM(len(vocab)), args.lr, args.momentum, args.clip)
    for epoch in range(1, args.epochs + 1):
        t0, state, losses = time.time(), None, []
        for x, y in segments(train, args.bptt):
            loss, state = trainer.step(x, y, state)
            losses.append(loss)
        print(f"| epoch {epoch} | {time.time() - t0:4.1f}s | train ppl {math.exp(sum(losses) / len(losses)):7.2f} "
              f"| valid ppl {trainer.perplexity(valid, args.bptt):7.2f}")


if __name__ == "__main__":
    main()
