import torch
from torch.nn.utils.rnn import pad_sequence


def collate(items):
    """Pad a list of (token ids, queue) pairs; longest message first, as packing wants it."""
    tokens, queues = zip(*items)
    tokens = sorted(tokens, key=len, reverse=True)
    lengths = torch.tensor([len(t) for t in tokens])
    return pad_sequence(tokens, batch_first=True), lengths, torch.tensor(queues)
