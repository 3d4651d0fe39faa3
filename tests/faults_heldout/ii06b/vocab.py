import json


class Vocab:
    def __init__(self, path):
        with open(path, encoding="utf-8") as fh:
            self.index = json.load(fh)
        self.symbols = {i: s for s, i in self.index.items()}
        self.pad = self.index["<pad>"]
        self.bos = self.index["<bos>"]
        self.eos = self.index["<eos>"]

    def __len__(self):
        return len(self.index)

    def decode(self, ids):
        out = []
        for i in ids:
            if i in (self.eos, self.pad):
                break
            out.append(self.symbols[i])
        return "".join(out)
