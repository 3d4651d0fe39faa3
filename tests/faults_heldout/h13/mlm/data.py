import torch

PAD, MASK, UNK = 0, 1, 2


class Vocab:
    def __init__(self, sentences):
        words = sorted({w for s in sentences for w in s})
        self.words = ["<pad>", "<mask>", "<unk>"] + words
        self.ids = {w: i for i, w in enumerate(self.words)}

    def __len__(self):
        return len(self.words)

    def encode(self, s):
        return torch.tensor([self.ids.get(w, UNK) for w in s])


def pad(batch):
    return torch.nn.utils.rnn.pad_sequence(batch, batch_first=True, padding_value=PAD)


def mask_tokens(ids, vocab_size, generator=None, p=0.2):
    """BERT corruption: of the chosen positions 80 % mask, 10 % random, 10 % unchanged; the rest is ignored."""
    chosen = (torch.rand(ids.shape, generator=generator) < p) & (ids != PAD)
    labels = ids.masked_fill(~chosen, -100)
    roll = torch.rand(ids.shape, generator=generator)
    random_ids = torch.randint(3, vocab_size, ids.shape, generator=generator)
    out = torch.where(chosen & (roll < 0.8), torch.full_like(ids, MASK), ids)
    out = torch.where(chosen & (roll >= 0.9), random_ids, out)
    return out, labels
