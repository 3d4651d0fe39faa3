PAD, BOS, EOS = 0, 1, 2


class Vocab:
    def __init__(self, strings):
        chars = sorted({c for s in strings for c in s})
        self.itos = ["<pad>", "<s>", "</s>"] + chars
        self.stoi = {c: i for i, c in enumerate(self.itos)}

    def __len__(self):
        return len(self.itos)

    def encode(self, s):
        return [self.stoi[c] for c in s]

    def decode(self, ids):
        out = []
        for i in ids:
            if i == EOS:
                break
            out.append(self.itos[i])
        return "".join(out)
