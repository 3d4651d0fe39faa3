import torch
from torch.utils.data import Dataset

from .vocab import PAD, Vocab

QUEUES = ("access", "billing", "hardware", "network", "software")


class TicketDataset(Dataset):
    """Support tickets, one `queue<TAB>text` per line."""

    def __init__(self, path, vocab_limit):
        self.texts, self.queue = [], []
        with open(path, encoding="utf-8") as fh:
            for line in fh:
                queue, text = line.rstrip("\n").split("\t")
                self.queue.append(QUEUES.index(queue))
                self.texts.append(text.lower())
        self.vocab = Vocab.from_texts(self.texts, vocab_limit)
        self.tokens = [torch.tensor(self.vocab.encode(t)) for t in self.texts]

    def __len__(self):
        return len(self.queue)

    def __getitem__(self, i):
        return self.tokens[i], self.queue[i]


def collate(items):
    tokens, queue = zip(*items)
    return torch.nn.utils.rnn.pad_sequence(tokens, batch_first=True, padding_value=PAD), torch.tensor(queue)
