import torch.nn as nn
from torch.nn.utils.rnn import pack_padded_sequence


class BiGRUClassifier(nn.Module):
    def __init__(self, vocab_size, emb=32, hidden=32, layers=1, n_classes=2, dropout=0.2):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, emb, padding_idx=0)
        self.gru = nn.GRU(emb, hidden, num_layers=layers, batch_first=True, bidirectional=True)
        self.drop = nn.Dropout(dropout)
        self.fc = nn.Linear(2 * hidden, n_classes)

    def forward(self, ids, lengths):
        emb = self.drop(self.embedding(ids))
        packed = pack_padded_sequence(emb, lengths, batch_first=True, enforce_sorted=False)
        _, h = self.gru(packed)
        # last layer, both directions side by side
        summary = h[-2:].reshape(len(ids), -1)
        return self.fc(self.drop(summary))
