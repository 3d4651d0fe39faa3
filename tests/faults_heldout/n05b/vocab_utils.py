import json


class Vocab:
    PAD, UNK = "<pad>", "<unk>"

    def __init__(self, tokens):
        self.itos = list(tokens)
        self.stoi = {t: i for i, t in enumerate(self.itos)}

    @classmethod
    def from_file(cls, path):
        with open(path, encoding="utf8") as f:
            return cls(json.load(f))

    @property
    def pad_id(self):
        return self.stoi[self.PAD]

    def __len__(self):
        return len(self.itos)
