import torch

PAD, BOS, EOS = 0, 1, 2


class Alphabet:
    def __init__(self, strings):
        self.chars = ["<pad>", "<bos>", "<eos>"] + sorted({c for s in strings for c in s})
        self.at = {c: i for i, c in enumerate(self.chars)}

    def __len__(self):
        return len(self.chars)

    def ids(self, s):
        return [self.at[c] for c in s] + [EOS]

    def text(self, ids):
        out = []
        for i in ids:
            if i == EOS:
                break
            out.append(self.chars[i])
        return "".join(out)


def read_tsv(path):
    with open(path, encoding="utf-8") as fh:
        return [tuple(line.rstrip("\n").split("\t")) for line in fh if line.strip()]


def pad(rows):
    width = max(map(len, rows))
    return torch.tensor([r + [PAD] * (width - len(r)) for r in rows])


def batches(pairs, src, tgt, size, gen=None):
    order = torch.randperm(len(pairs), generator=gen).tolist() if gen is not None else range(len(pairs))
    order = list(order)
    for i in range(0, len(order), size):
        rows = [pairs[j] for j in order[i : i + size]]
        yield pad([src.ids(a) for a, _ in rows]), pad([tgt.ids(b) for _, b in rows])
