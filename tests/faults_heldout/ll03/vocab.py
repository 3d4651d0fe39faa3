PAD, BOS, EOS = 0, 1, 2
SRC = "abcdefghijklmnopqrstuvwxyz0123456789 ,./"
DST = "0123456789-"


class Table:
    def __init__(self, symbols):
        self.itos = ["<pad>", "<s>", "</s>"] + list(symbols)
        self.stoi = {s: i for i, s in enumerate(self.itos)}

    def __len__(self):
        return len(self.itos)

    def ids(self, text):
        return [self.stoi[c] for c in text]

    def text(self, ids):
        out = []
        for i in ids:
            if i == EOS:
                break
            out.append(self.itos[i])
        return "".join(out)


src_table, dst_table = Table(SRC), Table(DST)
