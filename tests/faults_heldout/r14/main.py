import random

import torch
from torch import nn
from torch.optim.lr_scheduler import OneCycleLR

ONES = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()


def words(n):
    if n < 20:
        return [ONES[n]]
    return [TENS[n // 10 - 2]] + ([ONES[n % 10]] if n % 10 else [])


def sentence(rng):
    a, b = rng.randint(0, 12), rng.randint(0, 12)
    if rng.random() < .5:
        return words(a) + ["plus"] + words(b) + ["is"] + words(a + b) + ["."]
    hi, lo = max(a, b), min(a, b)
    return words(hi) + ["minus"] + words(lo) + ["is"] + words(hi - lo) + ["."]


class Vocab:
    def __init__(self):
        self.itos = ONES + TENS + ["plus", "minus", "is", "."]
        self.stoi = {w: i for i, w in enumerate(self.itos)}


class TiedGRU(nn.Module):
    def __init__(self, vocab, dim):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        nn.init.normal_(self.emb.weight, std=dim ** -0.5)
        self.rnn = nn.GRU(dim, dim, num_layers=2, batch_first=True)
        self.decoder = nn.Linear(dim, vocab)
        self.decoder.weight = self.emb.weight

    def forward(self, x, h=None):
        o, h = self.rnn(self.emb(x), h)
        return self.decoder(o), h


def stream(seed, n_tokens, vocab):
    rng, out = random.Random(seed), []
    while len(out) < n_tokens:
        out += [vocab.stoi[w] for w in sentence(rng)]
    return torch.tensor(out[:n_tokens])


def batchify(data, bs):
    n = len(data) // bs
    return data[:n * bs].view(bs, n)


def answer_accuracy(model, data, vocab):
    """Accuracy on the word that follows 'is'."""
    model.eval()
    with torch.no_grad():
        logits, _ = model(data[:, :-1])
    mask = data[:, :-1] == vocab.stoi["is"]
    mask[:, :8] = False
    return (logits.argmax(-1) == data[:, 1:])[mask].float().mean().item()


def main():
    torch.manual_seed(0)
    vocab = Vocab()
    train, val = batchify(stream(1, 60000, vocab), 32), batchify(stream(2, 6000, vocab), 8)
    model = TiedGRU(len(vocab.itos), 64)
    crit = nn.CrossEntropyLoss(label_smoothing=0.05)
    bptt, epochs = 32, 12
    per_epoch = (train.size(1) - 1) // bptt
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.01)
    sched = OneCycleLR(opt, max_lr=1.5e-2, total_steps=per_epoch * epochs, pct_start=0.25)
    for epoch in range(epochs):
        model.train()
        h, tot = None, 0.0
        for k in range(per_epoch):
            x, y = train[:, k * bptt:(k + 1) * bptt], train[:, k * bptt + 1:(k + 1) * bptt + 1]
            if h is not None:
                h = h.detach()
            logits, h = model(x, h)
            loss = crit(logits.reshape(-1, logits.size(-1)), y.reshape(-1))
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            sched.step()
            tot += loss.item()
        model.eval()
        with torch.no_grad():
            lg, _ = model(val[:, :-1])
            vl = crit(lg.reshape(-1, lg.size(-1)), val[:, 1:].reshape(-1)).item()
        print(f"epoch {epoch} train {tot / per_epoch:.3f} val {vl:.3f} answer acc {answer_accuracy(model, val, vocab):.3f}"
              f" lr {sched.get_last_lr()[0]:.4f}")


if __name__ == "__main__":
    main()
