import torch

SPECIAL = ["<mask>", "<cls>"]


class Vocab:
    def __init__(self, lines):
        words = sorted({w for line in lines for w in line.split()})
        self.itos = SPECIAL + words
        self.stoi = {w: i for i, w in enumerate(self.itos)}
        self.mask, self.cls = 0, 1

    def __len__(self):
        return len(self.itos)

    def encode(self, lines):
        return torch.tensor([[self.cls] + [self.stoi[w] for w in line.split()] for line in lines])


def corrupt(tokens, vocab, rate=0.2):
    """BERT corruption: of the chosen 20 %, 80 % become <mask>, 10 % a random word, 10 % stay."""
    chosen = torch.rand(tokens.shape) < rate
    chosen[:, 0] = False
    labels = tokens.masked_fill(~chosen, -100)
    u = torch.rand(tokens.shape)
    out = torch.where(chosen & (u < 0.8), torch.full_like(tokens, vocab.mask), tokens)
    noise = torch.randint(len(SPECIAL), len(vocab), tokens.shape)
    out = torch.where(chosen & (u >= 0.8) & (u < 0.9), noise, out)
    return out, labels
