import csv
import re

import torch

TOKEN = re.compile(r"[a-z0-9']+")


def read_tsv(path):
    with open(path, newline="", encoding="utf-8") as fh:
        return [(queue, TOKEN.findall(text.lower())) for queue, text in csv.reader(fh, delimiter="\t")]


class Lexicon:
    pad, cls, unk = 0, 1, 2

    def __init__(self, docs):
        vocab = sorted({w for _, words in docs for w in words})
        self.ids = {w: i for i, w in enumerate(vocab, start=3)}
        self.queues = sorted({q for q, _ in docs})

    @property
    def size(self):
        return len(self.ids) + 3

    def encode(self, docs):
        return [
            (torch.tensor([self.cls] + [self.ids.get(w, self.unk) for w in words]), self.queues.index(q))
            for q, words in docs
        ]


def collate(items, word_drop=0.0):
    ids = torch.nn.utils.rnn.pad_sequence([t for t, _ in items], batch_first=True, padding_value=Lexicon.pad)
    mask = ids != Lexicon.pad
    if word_drop:
        hit = (torch.rand(ids.shape) < word_drop) & (ids > Lexicon.unk)
        ids = ids.masked_fill(hit, Lexicon.unk)
    return {"input_ids": ids, "mask": mask}, torch.tensor([q for _, q in items])
