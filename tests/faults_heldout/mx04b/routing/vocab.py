class Vocab:
    def __init__(self, tokens):
        self.tokens = tokens
        self.index = {t: i for i, t in enumerate(tokens)}
        self.pad_id = self.index["<pad>"]
        self.eos_id = self.index["<end>"]

    @classmethod
    def load(cls, path):
        with open(path) as f:
            return cls(f.read().split())

    def __len__(self):
        return len(self.tokens)

    def encode(self, words):
        return [self.index[w] for w in words] + [self.eos_id]
