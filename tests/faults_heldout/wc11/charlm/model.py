from torch import nn


class RNNModel(nn.Module):
    def __init__(self, vocab, emb, hidden, layers, dropout):
        super().__init__()
        self.drop = nn.Dropout(dropout)
        self.encoder = nn.Embedding(vocab, emb)
        self.rnn = nn.LSTM(emb, hidden, layers, dropout=dropout)
        self.decoder = nn.Linear(hidden, vocab)
        nn.init.uniform_(self.encoder.weight, -0.1, 0.1)
        nn.init.uniform_(self.decoder.weight, -0.1, 0.1)
        nn.init.zeros_(self.decoder.bias)
        self.layers, self.hidden = layers, hidden

    def forward(self, ids, state):
        out, state = self.rnn(self.drop(self.encoder(ids)), state)
        return self.decoder(self.drop(out)), state

    def init_state(self, batch):
        w = self.decoder.weight
        return (w.new_zeros(self.layers, batch, self.hidden), w.new_zeros(self.layers, batch, self.hidden))
