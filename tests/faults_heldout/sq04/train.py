import random
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence
from crf import LinearChainCRF
from text import Vocab, batches, read_conll, spans

SEED = 5
random.seed(SEED)
torch.manual_seed(SEED)


class Tagger(nn.Module):
    def __init__(self, vocab, hidden=40):
        super().__init__()
        self.word = nn.Embedding(len(vocab.words) + 2, 32, padding_idx=0)
        self.end = nn.Embedding(len(vocab.ends) + 2, 16, padding_idx=0)
        self.shape = nn.Embedding(len(vocab.shapes) + 2, 8, padding_idx=0)
        self.drop = nn.Dropout(0.3)
        self.rnn = nn.LSTM(56, hidden, batch_first=True, bidirectional=True)
        self.emit = nn.Linear(2 * hidden, len(vocab.tags))
        self.crf = LinearChainCRF(len(vocab.tags))

    def emissions(self, feats, mask):
        h = torch.cat([self.word(feats[..., 0]), self.end(feats[..., 1]), self.shape(feats[..., 2])], -1)
        packed = pack_padded_sequence(self.drop(h), mask.sum(1).cpu(), batch_first=True, enforce_sorted=False)
        out, _ = pad_packed_sequence(self.rnn(packed)[0], batch_first=True)
        return self.emit(self.drop(out))


def entity_f1(model, vocab, data):
    model.eval()
    tp = fp = fn = 0
    with torch.no_grad():
        for feats, tags, mask in batches(data, 64):
            for path, gold in zip(model.crf.decode(model.emissions(feats, mask), mask), tags):
                p = spans([vocab.tags[i] for i in path])
                g = spans([vocab.tags[i] for i in gold[:len(path)].tolist()])
                tp, fp, fn = tp + len(p & g), fp + len(p - g), fn + len(g - p)
    return 2 * tp / max(2 * tp + fp + fn, 1)


sents = read_conll("addresses.conll")
train_s, test_s = sents[:850], sents[850:]
vocab = Vocab(train_s)
train, test = vocab.encode(train_s), vocab.encode(test_s)
model = Tagger(vocab)
opt = torch.optim.Adam(model.parameters(), lr=4e-3)
order = random.Random(SEED)

for epoch in range(1, 11):
    model.train()
    total, n = 0.0, 0
    for feats, tags, mask in batches(train, 24, order):
        loss = model.crf.nll(model.emissions(feats, mask), tags, mask)
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        opt.step()
        total += loss.item() * len(tags)
        n += len(tags)
    print(f"epoch {epoch:2d}  nll per address {total / n:.3f}  entity F1 {entity_f1(model, vocab, test):.4f}")
