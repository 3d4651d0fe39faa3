import json
import re
from collections import Counter

import torch
from torch.nn.utils.rnn import pad_sequence

from settings import LABELS, MIN_COUNT

NUMBER = re.compile(r"\b(0x[0-9a-f]+|\d[\d.:,-]*)\b")


def tokenise(line):
    line = NUMBER.sub("<num>", line.lower())
    return re.findall(r"<num>|[a-z_]+|[^\sa-z]", line) or ["<empty>"]


def read(path):
    records = [json.loads(l) for l in path.read_text(encoding="utf-8").splitlines() if l.strip()]
    return [(tokenise(r["msg"]), LABELS.index(r["component"].strip().lower())) for r in records]


def build_vocab(samples):
    counts = Counter(t for tokens, _ in samples for t in tokens)
    words = [w for w, c in counts.most_common() if c >= MIN_COUNT]
    return {w: i for i, w in enumerate(["<pad>", "<unk>"] + words)}


def make_collate(vocab):
    def collate(batch):
        batch = sorted(batch, key=lambda s: len(s[0]), reverse=True)
        ids = [torch.tensor([vocab.get(t, 1) for t in tokens]) for tokens, _ in batch]
        lengths = torch.tensor([len(i) for i in ids])
        labels = torch.tensor([y for _, y in batch])
        return pad_sequence(ids, batch_first=True), lengths, labels

    return collate
