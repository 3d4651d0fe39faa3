from collections import Counter

PAD = "<pad>"
UNK = "<unk>"


class Vocab:
    def __init__(self, sequences, specials, min_count=1):
        counts = Counter(tok for seq in sequences for tok in seq)
        self.itos = list(specials) + sorted(t for t, c in counts.items() if c >= min_count)
        self.stoi = {t: i for i, t in enumerate(self.itos)}

    def __len__(self):
        return len(self.itos)

    def encode(self, seq):
        unk = self.stoi.get(UNK)
        return [self.stoi.get(t, unk) for t in seq]
