import torch.nn as nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


class Tagger(nn.Module):
    def __init__(self, n_words, n_tags, embed, hidden):
        super().__init__()
        self.embed = nn.Embedding(n_words, embed, padding_idx=0)
        self.rnn = nn.GRU(embed, hidden, batch_first=True, bidirectional=True)
        self.out = nn.Linear(2 * hidden, n_tags)

    def forward(self, words):
        lengths = (words != 0).sum(1)
        packed = pack_padded_sequence(self.embed(words), lengths, batch_first=True, enforce_sorted=False)
        h, _ = pad_packed_sequence(self.rnn(packed)[0], batch_first=True, total_length=words.size(1))
        return self.out(h)
