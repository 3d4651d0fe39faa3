PAD, BOS, EOS = 0, 1, 2


class Chars:
    def __init__(self, texts):
        self.itos = ["<pad>", "<s>", "</s>"] + sorted(set("".join(texts)))
        self.stoi = {c: i for i, c in enumerate(self.itos)}

    def __len__(self):
        return len(self.itos)

    def encode(self, text, length, bos=False):
        ids = [BOS] * bos + [self.stoi[c] for c in text] + [EOS]
        return ids + [PAD] * (length - len(ids))
