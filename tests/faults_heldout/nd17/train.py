import argparse
import logging
from pathlib import Path

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from tagger.corpus import UNK, Indexer, batches, read_conll, spans
from tagger.crf import LinearChainCRF

logging.basicConfig(format="[%(levelname)s] %(message)s", level=logging.INFO)
HERE = Path(__file__).resolve().parent


class OrderTagger(nn.Module):
    def __init__(self, ix, hidden, word_dim=32, drop=0.3, word_drop=0.5):
        super().__init__()
        self.word = nn.Embedding(len(ix.words) + 2, word_dim, padding_idx=0)
        self.suffix = nn.Embedding(len(ix.suffixes) + 2, 12, padding_idx=0)
        self.shape = nn.Embedding(len(ix.shapes) + 1, 4, padding_idx=0)
        self.drop = nn.Dropout(drop)
        self.lstm = nn.LSTM(word_dim + 16, hidden, batch_first=True, bidirectional=True)
        self.emit = nn.Linear(2 * hidden, len(ix.tags))
        self.crf = LinearChainCRF(len(ix.tags))
        self.word_drop = word_drop

    def emissions(self, feats, rare, mask):
        words = feats[:, 0]
        if self.training:       # teach the unknown-word vector on rare words
            swap = rare & (torch.rand(words.shape) < self.word_drop)
            words = words.masked_fill(swap, UNK)
        x = self.drop(torch.cat([self.word(words), self.suffix(feats[:, 1]), self.shape(feats[:, 2])], dim=2))
        packed = pack_padded_sequence(x, mask.sum(1), batch_first=True, enforce_sorted=False)
        h, _ = pad_packed_sequence(self.lstm(packed)[0], batch_first=True, total_length=mask.size(1))
        return self.emit(self.drop(h))

    def loss(self, feats, rare, tags, mask):
        return self.crf.nll(self.emissions(feats, rare, mask), tags, mask)


@torch.no_grad()
def evaluate(model, items, names):
    model.eval()
    tp = n_gold = n_pred = 0
    loss = 0.0
    for feats, rare, tags, mask in batches(items, 128, shuffle=False):
        emit = model.emissions(feats, rare, mask)
        loss += model.crf.nll(emit, tags, mask).item() * len(tags)
        path = model.crf.viterbi(emit, mask)
        for g, p, m in zip(tags, path, mask):
            gold = spans([names[i] for i in g[m]])
            pred = spans([names[i] for i in p[m]])
            tp, n_gold, n_pred = tp + len(gold & pred), n_gold + len(gold), n_pred + len(pred)
    prec, rec = tp / max(n_pred, 1), tp / n_gold
    return loss / len(items), prec, rec, 2 * prec * rec / max(prec + rec, 1e-9)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--data", default="orders.conll")
    ap.add_argument("--epochs", type=int, default=8)
    ap.add_argument("--batch", type=int, default=32)
    ap.add_argument("--lr", type=float, default=5e-3)
    ap.add_argument("--hidden", type=int, default=48)
    ap.add_argument("--clip", type=float, default=3.0)
    args = ap.parse_args()
    torch.manual_seed(13)
    sents = read_conll(HERE / args.data)
    order = torch.randperm(len(sents)).tolist()
    n = len(sents) // 8
    test, val, train = ([sents[i] for i in part] for part in (order[:n], order[n:2 * n], order[2 * n:]))
    ix = Indexer(train)
    train, val, test = ([ix.encode(s) for s in part] for part in (train, val, test))
    model = OrderTagger(ix, args.hidden)
    opt = torch.optim.Adam(model.parameters(), lr=args.lr)
    sched = torch.optim.lr_scheduler.ExponentialLR(opt, 0.7)
    logging.info("%d/%d/%d sentences, %d words, %d tags", len(train), len(val), len(test), len(ix.words), len(ix.tags))
    best, state = -1.0, None
    for epoch in range(1, args.epochs + 1):
        model.train()
        run, k, clipped = 0.0, 0, 0
        for batch in batches(train, args.batch, shuffle=True):
            loss = model.loss(*batch)
            opt.zero_grad()
            loss.backward()
            clipped += int(nn.utils.clip_grad_norm_(model.parameters(), args.clip) > args.clip)
            opt.step()
            run, k = run + loss.item(), k + 1
        sched.step()
        vl, p, r, f = evaluate(model, val, ix.names)
        logging.info("epoch %d  train nll %.3f  val nll %.3f  P %.4f R %.4f F1 %.4f  clipped %d/%d", epoch, run / k, vl, p, r, f, clipped, k)
        if f > best:
            best, state = f, {k_: v.clone() for k_, v in model.state_dict().items()}
    model.load_state_dict(state)
    tl, p, r, f = evaluate(model, test, ix.names)
    logging.info("test  nll %.3f  P %.4f R %.4f F1 %.4f", tl, p, r, f)


if __name__ == "__main__":
    main()
