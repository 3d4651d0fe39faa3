class Vocabulary:
    specials = ("<unk>", "<pad>")

    def __init__(self, docs):
        words = sorted({w for d in docs for w in d})
        self.itos = list(self.specials) + words
        self.stoi = {w: i for i, w in enumerate(self.itos)}
        self.unk_id, self.pad_id = self.stoi["<unk>"], self.stoi["<pad>"]

    def __len__(self):
        return len(self.itos)

    def __call__(self, doc):
        return [self.stoi.get(w, self.unk_id) for w in doc]
