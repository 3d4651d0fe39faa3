"""Part-of-speech tagger, BiLSTM over words."""
import random

import torch
from torch import nn

PAD = 0


def read_corpus(path):
    sents = []
    for line in open(path):
        pairs = [tok.rsplit("/", 1) for tok in line.split()]
        sents.append(([w for w, _ in pairs], [t for _, t in pairs]))
    return sents


def index(items):
    return {k: i + 1 for i, k in enumerate(sorted(set(items)))}


class Tagger(nn.Module):
    def __init__(self, n_words, n_tags, dim=16, hidden=20):
        super().__init__()
        self.emb = nn.Embedding(n_words, dim, padding_idx=PAD)
        self.lstm = nn.LSTM(dim, hidden, batch_first=True, bidirectional=True)
        self.proj = nn.Linear(2 * hidden, n_tags)

    def forward(self, words, lengths):
        packed = nn.utils.rnn.pack_padded_sequence(
            self.emb(words), lengths, batch_first=True, enforce_sorted=False)
        h, _ = nn.utils.rnn.pad_packed_sequence(self.lstm(packed)[0], batch_first=True)
        return self.proj(h)


def collate(batch, w2i, t2i):
    lengths = torch.tensor([len(s[0]) for s in batch])
    words = torch.full((len(batch), int(lengths.max())), PAD)
    tags = torch.full_like(words, PAD)
    for i, (ws, ts) in enumerate(batch):
        words[i, :len(ws)] = torch.tensor([w2i[w] for w in ws])
        tags[i, :len(ts)] = torch.tensor([t2i[t] for t in ts])
    return words, tags, lengths


def batches(sents, size, w2i, t2i, shuffle=False):
    sents = list(sents)
    if shuffle:
        random.shuffle(sents)
    for i in range(0, len(sents), size):
        yield collate(sents[i:i + size], w2i, t2i)


def evaluate(model, sents, w2i, t2i, loss_fn):
    model.eval()
    correct, count, losses = 0, 0, []
    with torch.no_grad():
        for words, tags, lengths in batches(sents, 64, w2i, t2i):
            scores = model(words, lengths)
            losses.append(loss_fn(scores.flatten(0, 1), tags.flatten()).item())
            pred = scores.argmax(-1)
            correct += ((pred == tags) & (tags != PAD)).sum().item()
            count += tags.numel()
    return sum(losses) / len(losses), correct / count


def main():
    random.seed(5)
    torch.manual_seed(5)
    sents = read_corpus("corpus.txt")
    random.shuffle(sents)
    train, dev = sents[:1200], sents[1200:]
    w2i = index(w for s in sents for w in s[0])
    t2i = index(t for s in sents for t in s[1])
    model = Tagger(len(w2i) + 1, len(t2i) + 1)
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    loss_fn = nn.CrossEntropyLoss(ignore_index=PAD)
    for epoch in range(1, 11):
        model.train()
        run = []
        for words, tags, lengths in batches(train, 32, w2i, t2i, shuffle=True):
            loss = loss_fn(model(words, lengths).flatten(0, 1), tags.flatten())
            opt.zero_grad()
            loss.backward()
            opt.step()
            run.append(loss.item())
        dl, acc = evaluate(model, dev, w2i, t2i, loss_fn)
        print(f"epoch {epoch}: loss {sum(run) / len(run):.4f} | dev loss {dl:.4f} | dev accuracy {acc:.4f}")


if __name__ == "__main__":
    main()
