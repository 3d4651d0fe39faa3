import torch
from torch.nn.utils.rnn import pad_sequence

PAD, BOS, EOS, UNK = range(4)


class Chars:
    def __init__(self, strings):
        self.chars = ["<pad>", "<bos>", "<eos>", "<unk>"] + sorted({c for s in strings for c in s})
        self.ids = {c: i for i, c in enumerate(self.chars)}

    def __len__(self):
        return len(self.chars)

    def encode(self, s):
        return [self.ids.get(c, UNK) for c in s]

    def decode(self, ids):
        out = []
        for i in ids:
            if i == EOS:
                break
            out.append(self.chars[i])
        return "".join(out)


class Collate:
    def __init__(self, src, tgt):
        self.src, self.tgt = src, tgt

    def __call__(self, pairs):
        s = [torch.tensor(self.src.encode(a)) for a, _ in pairs]
        t = [torch.tensor([BOS] + self.tgt.encode(b) + [EOS]) for _, b in pairs]
        return (pad_sequence(s, batch_first=True, padding_value=PAD), torch.tensor([len(v) for v in s]),
                pad_sequence(t, batch_first=True, padding_value=PAD), [b for _, b in pairs])
