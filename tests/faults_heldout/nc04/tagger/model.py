import torch.nn as nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


class BiLSTMTagger(nn.Module):
    def __init__(self, n_words, n_tags, embedding_dim, hidden_dim, dropout):
        super().__init__()
        self.embed = nn.Embedding(n_words, embedding_dim, padding_idx=0)
        self.drop = nn.Dropout(dropout)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True, bidirectional=True)
        self.out = nn.Linear(2 * hidden_dim, n_tags)

    def forward(self, words, lengths):
        packed = pack_padded_sequence(self.drop(self.embed(words)), lengths,
                                      batch_first=True, enforce_sorted=False)
        hidden, _ = pad_packed_sequence(self.lstm(packed)[0], batch_first=True,
                                        total_length=words.shape[1])
        return self.out(self.drop(hidden))
