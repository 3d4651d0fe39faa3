import string

PAD, BOS, EOS = 0, 1, 2
CHARS = string.ascii_lowercase + string.digits + " ,./-"
STOI = {c: i + 3 for i, c in enumerate(CHARS)}
ITOS = {i: c for c, i in STOI.items()}
SIZE = len(CHARS) + 3


def encode(text):
    return [STOI[c] for c in text.lower()]


def decode(ids):
    out = []
    for i in ids:
        if i == EOS:
            break
        if i in ITOS:
            out.append(ITOS[i])
    return "".join(out)
