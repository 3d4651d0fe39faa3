from collections import Counter

PAD, UNK = 0, 1


class Vocab:
    def __init__(self, words):
        self.words = ["<pad>", "<unk>", *words]
        self.index = {w: i for i, w in enumerate(self.words)}

    @classmethod
    def from_texts(cls, texts, limit):
        counts = Counter(w for t in texts for w in t.split())
        return cls([w for w, _ in counts.most_common(limit - 2)])

    def __len__(self):
        return len(self.words)

    def encode(self, text):
        return [self.index.get(w, UNK) for w in text.split()]
