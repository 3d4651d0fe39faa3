import tomllib

import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence
from torch.utils.data import DataLoader

import corpus


class BiLSTMTagger(nn.Module):
    def __init__(self, n_words, n_shapes, n_tags, word_dim, shape_dim, hidden, dropout):
        super().__init__()
        self.words = nn.Embedding(n_words, word_dim, padding_idx=corpus.PAD)
        self.shapes = nn.Embedding(n_shapes, shape_dim, padding_idx=corpus.PAD)
        self.lstm = nn.LSTM(word_dim + shape_dim, hidden, bidirectional=True, batch_first=True)
        self.drop = nn.Dropout(dropout)
        self.out = nn.Linear(2 * hidden, n_tags)

    def forward(self, w, s, lengths):
        e = self.drop(torch.cat([self.words(w), self.shapes(s)], dim=-1))
        packed = pack_padded_sequence(e, lengths, batch_first=True, enforce_sorted=False)
        h, _ = pad_packed_sequence(self.lstm(packed)[0], batch_first=True, total_length=w.size(1))
        return self.out(self.drop(h))


def masked_ce(scores, y, lengths):
    mask = (torch.arange(y.size(1))[None, :] < lengths[:, None]).float()
    per_token = F.cross_entropy(scores.transpose(1, 2), y, reduction="none")
    return (per_token * mask).sum() / mask.sum(), mask


@torch.no_grad()
def score(model, loader):
    model.eval()
    right = total = exact = sents = 0
    nll = 0.0
    for w, s, y, n in loader:
        scores = model(w, s, n)
        loss, mask = masked_ce(scores, y, n)
        hit = (scores.argmax(-1) == y).float() * mask
        right += hit.sum().item()
        total += mask.sum().item()
        nll += loss.item() * mask.sum().item()
        exact += (hit.sum(1) == n).sum().item()
        sents += len(n)
    return nll / total, right / total, exact / sents


def main():
    with open("tagger.toml", "rb") as fh:
        cfg = tomllib.load(fh)
    torch.manual_seed(cfg["train"]["seed"])
    train_s, dev_s = corpus.read_conll(cfg["data"]["train"]), corpus.read_conll(cfg["data"]["dev"])
    words = corpus.Vocab((corpus.normalise(t) for toks, _ in train_s for t in toks), cfg["data"]["min_count"])
    shapes = corpus.Vocab(corpus.shape(t) for toks, _ in train_s for t in toks)
    tags = corpus.TagSet(train_s)
    bs = cfg["data"]["batch_size"]
    train = DataLoader(corpus.Addresses(train_s, words, shapes, tags), bs, shuffle=True, collate_fn=corpus.collate)
    dev = DataLoader(corpus.Addresses(dev_s, words, shapes, tags), 100, collate_fn=corpus.collate)

    model = BiLSTMTagger(len(words), len(shapes), len(tags.names), **cfg["model"])
    opt = torch.optim.AdamW(model.parameters(), lr=cfg["train"]["lr"], weight_decay=1e-4)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, cfg["train"]["epochs"] * len(train), eta_min=1e-4)
    print(f"{len(train_s)} train / {len(dev_s)} dev sentences, {len(words)} words, tags {tags.names}")
    for epoch in range(cfg["train"]["epochs"]):
        model.train()
        acc_loss = 0.0
        for w, s, y, n in train:
            opt.zero_grad(set_to_none=True)
            loss, _ = masked_ce(model(w, s, n), y, n)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            opt.step()
            sched.step()
            acc_loss += loss.item()
        nll, tok, exact = score(model, dev)
        print(f"epoch {epoch} train {acc_loss / len(train):.4f} | dev {nll:.4f} token acc {tok:.4f} exact {exact:.3f}")


if __name__ == "__main__":
    main()
