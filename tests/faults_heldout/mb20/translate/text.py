import torch
from torch.nn.utils.rnn import pad_sequence

PAD, BOS, EOS = 0, 1, 2


class Alphabet:
    def __init__(self, lines):
        self.chars = sorted(set("".join(lines)))
        self.index = {c: i + 3 for i, c in enumerate(self.chars)}

    def __len__(self):
        return len(self.chars) + 3

    def encode(self, line):
        return torch.tensor([self.index[c] for c in line] + [EOS])

    def decode(self, ids):
        out = ""
        for i in ids:
            if i == EOS:
                break
            out += self.chars[i - 3] if i > 2 else "?"
        return out


def read_pairs(path):
    with open(path) as f:
        return [tuple(line.rstrip("\n").split("\t")) for line in f]


def collate(src, dst):
    def join(part):
        s = pad_sequence([src.encode(a) for a, _ in part], batch_first=True, padding_value=PAD)
        t = torch.stack([dst.encode(b) for _, b in part])
        first = torch.full((len(part), 1), BOS)
        return s, torch.cat([first, t[:, :-1]], 1), t
    return join
