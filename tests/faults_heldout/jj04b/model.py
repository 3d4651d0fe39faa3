import torch
import torch.nn as nn
from torch.nn.utils.rnn import pack_padded_sequence


class Encoder(nn.Module):
    def __init__(self, vectors, hidden):
        super().__init__()
        self.embed = nn.Embedding.from_pretrained(vectors, freeze=False, padding_idx=0)
        self.gru = nn.GRU(vectors.shape[1], hidden, batch_first=True, bidirectional=True)

    def forward(self, tokens, lengths):
        packed = pack_padded_sequence(self.embed(tokens), lengths, batch_first=True, enforce_sorted=False)
        _, last = self.gru(packed)
        return torch.cat([last[0], last[1]], dim=1)


class IntentModel(nn.Module):
    def __init__(self, vectors, hidden, classes):
        super().__init__()
        self.encoder = Encoder(vectors, hidden)
        self.head = nn.Linear(2 * hidden, classes)

    def forward(self, tokens, lengths):
        return self.head(self.encoder(tokens, lengths))


def select_trainable(model, prefixes):
    """Only parameters whose name starts with one of the prefixes keep their gradient."""
    for name, p in model.named_parameters():
        p.requires_grad_(name.startswith(tuple(prefixes)))
    return [p for p in model.parameters() if p.requires_grad]
