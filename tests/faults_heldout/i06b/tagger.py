import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


class Tagger(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.pad_id = cfg["pad_id"]
        self.emb = nn.Embedding(cfg["vocab_size"], cfg["emb_dim"])
        self.drop = nn.Dropout(cfg["emb_dropout"])
        self.rnn = nn.GRU(cfg["emb_dim"], cfg["hidden"], batch_first=True, bidirectional=True)
        self.out = nn.Linear(2 * cfg["hidden"], cfg["n_tags"])

    def forward(self, tokens):
        lengths = (tokens != self.pad_id).sum(1)
        packed = pack_padded_sequence(
            self.drop(self.emb(tokens)), lengths.cpu(), batch_first=True, enforce_sorted=False
        )
        h, _ = self.rnn(packed)
        h, _ = pad_packed_sequence(h, batch_first=True, total_length=tokens.shape[1])
        return self.out(h)
