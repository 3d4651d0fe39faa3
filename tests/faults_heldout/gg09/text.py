import torch

from registry import TOKENIZERS, register

PAD, BOS, EOS = 0, 1, 2


@register(TOKENIZERS, "char")
class CharTokenizer:
    def __init__(self, lines):
        self.itos = ["<pad>", "<s>", "</s>"] + sorted({c for l in lines for c in l})
        self.stoi = {c: i for i, c in enumerate(self.itos)}

    def __len__(self):
        return len(self.itos)

    def encode(self, s, bos=False):
        return ([BOS] if bos else []) + [self.stoi[c] for c in s] + [EOS]

    def decode(self, ids):
        out = []
        for i in ids:
            if i == EOS:
                break
            out.append(self.itos[i])
        return "".join(out)


def read_pairs(path):
    with open(path, encoding="utf-8") as f:
        return [tuple(line.rstrip("\n").split("\t")) for line in f if line.strip()]


def pad(rows):
    width = max(map(len, rows))
    return torch.tensor([r + [PAD] * (width - len(r)) for r in rows])


def collate(pairs, src_tok, tgt_tok):
    return pad([src_tok.encode(a) for a, _ in pairs]), pad([tgt_tok.encode(b, bos=True) for _, b in pairs])
