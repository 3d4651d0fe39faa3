import json

import torch
from torch.nn.utils.rnn import pad_sequence

PAD, BOS, EOS = 0, 1, 2


class Vocab:
    def __init__(self, texts):
        self.itos = ["<pad>", "<s>", "</s>"] + sorted(set("".join(texts)))
        self.stoi = {c: i for i, c in enumerate(self.itos)}

    def __len__(self):
        return len(self.itos)

    def encode(self, s):
        return [BOS] + [self.stoi[c] for c in s] + [EOS]

    def decode(self, ids):
        out = ""
        for i in ids:
            if i == EOS:
                break
            if i > EOS:
                out += self.itos[i]
        return out


def read_pairs(path):
    with open(path) as f:
        return [(r["in"], r["out"]) for r in map(json.loads, f)]


def make_collate(src_vocab, tgt_vocab):
    def collate(pairs):
        src = pad_sequence([torch.tensor(src_vocab.encode(a)) for a, _ in pairs], batch_first=True, padding_value=PAD)
        tgt = pad_sequence([torch.tensor(tgt_vocab.encode(b)) for _, b in pairs], batch_first=True, padding_value=PAD)
        return src, tgt
    return collate
