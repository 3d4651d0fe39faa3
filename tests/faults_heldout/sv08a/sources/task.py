import torch
from torch.utils.data import Dataset


class Grammar:
    """A family of first-order Markov sources over the same alphabet, one source for each class."""

    def __init__(self, classes, alphabet, generator, sharpness=2.5):
        logits = sharpness * torch.randn(classes, alphabet, alphabet, generator=generator)
        self.transition = logits.softmax(-1)
        self.classes, self.alphabet, self.generator = classes, alphabet, generator

    def sample(self, n, length):
        label = torch.randint(0, self.classes, (n,), generator=self.generator)
        token = torch.randint(0, self.alphabet, (n,), generator=self.generator)
        out = [token]
        for _ in range(length - 1):
            row = self.transition[label, token]
            token = torch.multinomial(row, 1, generator=self.generator).squeeze(1)
            out.append(token)
        return torch.stack(out, 1), label


class Sequences(Dataset):
    def __init__(self, grammar, n, length):
        self.tokens, self.label = grammar.sample(n, length)

    def __len__(self):
        return len(self.label)

    def __getitem__(self, i):
        return self.tokens[i], self.label[i]
