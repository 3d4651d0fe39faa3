import pathlib
import random
import sys

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from corpus import Vocab, batches, read_conll, spans
from crf import LinearChainCRF


class Tagger(nn.Module):
    def __init__(self, vocab, d_word=32, d_shape=6, hidden=40, p=0.3, unk_p=0.05):
        super().__init__()
        self.word = nn.Embedding(len(vocab.words), d_word, padding_idx=0)
        self.shape = nn.Embedding(6, d_shape, padding_idx=0)
        self.lstm = nn.LSTM(d_word + d_shape, hidden, batch_first=True, bidirectional=True)
        self.proj = nn.Linear(2 * hidden, len(vocab.tags))
        self.crf = LinearChainCRF(len(vocab.tags))
        self.drop = nn.Dropout(p)
        self.unk_p = unk_p

    def emissions(self, word, shape, mask):
        if self.training:
            drop = (torch.rand(word.shape) < self.unk_p) & mask
            word = word.masked_fill(drop, 1)
        x = self.drop(torch.cat([self.word(word), self.shape(shape)], -1))
        packed = pack_padded_sequence(x, mask.sum(1), batch_first=True, enforce_sorted=False)
        h, _ = pad_packed_sequence(self.lstm(packed)[0], batch_first=True, total_length=word.shape[1])
        return self.proj(self.drop(h))

    def forward(self, word, shape, tag, mask):
        return self.crf(self.emissions(word, shape, mask), tag, mask)

    def decode(self, word, shape, mask):
        return self.crf.decode(self.emissions(word, shape, mask), mask)


def f1(model, sents, vocab):
    model.eval()
    tp = n_pred = n_gold = 0
    nll, k = 0.0, 0
    with torch.no_grad():
        for word, shape, tag, mask in batches(sents, vocab, 128):
            nll += model(word, shape, tag, mask).item() * len(word)
            k += len(word)
            for path, gold, m in zip(model.decode(word, shape, mask), tag.tolist(), mask.sum(1).tolist()):
                a = spans(vocab.tag_names[i] for i in path)
                b = spans(vocab.tag_names[i] for i in gold[:m])
                tp, n_pred, n_gold = tp + len(a & b), n_pred + len(a), n_gold + len(b)
    return nll / k, 2 * tp / max(1, n_pred + n_gold)


def main(epochs=10, batch=32, lr=4e-3):
    torch.manual_seed(8)
    rng = random.Random(8)
    root = pathlib.Path(__file__).resolve().parent
    train, dev, test = (read_conll(root / f"{n}.conll") for n in ("train", "dev", "test"))
    vocab = Vocab(train)
    print(len(train), "sentences,", len(vocab.words), "words,", vocab.tag_names)
    model = Tagger(vocab)
    opt = torch.optim.Adam(model.parameters(), lr=lr)
    sched = torch.optim.lr_scheduler.LinearLR(opt, 1.0, 0.05, total_iters=epochs)
    for e in range(1, epochs + 1):
        model.train()
        s = n = 0
        for b in batches(train, vocab, batch, rng):
            loss = model(*b)
            model.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            opt.step()
            s, n = s + loss.item(), n + 1
        sched.step()
        d_nll, d_f1 = f1(model, dev, vocab)
        print(f"epoch {e:2d}  nll {s / n:.4f}  dev nll {d_nll:.4f}  dev F1 {d_f1:.4f}")
        sys.stdout.flush()
    t_nll, t_f1 = f1(model, test, vocab)
    print(f"test nll {t_nll:.4f}  F1 {t_f1:.4f}")


if __name__ == "__main__":
    main()
