import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence


class StateReader(nn.Module):
    def __init__(self, vocab, embed, hidden, classes=3):
        super().__init__()
        self.tokens = nn.Embedding(vocab, embed, padding_idx=0)
        self.rnn = nn.GRU(embed, hidden, batch_first=True)
        self.norm = nn.LayerNorm(hidden)
        self.cls = nn.Linear(hidden, classes)

    def forward(self, ids, lens):
        packed = pack_padded_sequence(self.tokens(ids), lens, batch_first=True, enforce_sorted=False)
        _, h = self.rnn(packed)
        return self.cls(self.norm(h[-1]))


def param_groups(model, weight_decay):
    """Weights are decayed, biases are not."""
    decay, plain = [], []
    for name, p in model.named_parameters():
        if name.endswith(".weight"):
            decay.append(p)
        elif name.endswith(".bias"):
            plain.append(p)
    return [{"params": decay, "weight_decay": weight_decay},
            {"params": plain, "weight_decay": 0.0}]
