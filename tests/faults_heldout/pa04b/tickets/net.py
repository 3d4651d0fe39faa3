import torch
import torch.nn as nn


class TicketEncoder(nn.Module):
    def __init__(self, vocab_size, n_classes, max_len, pad, d_model, heads, layers):
        super().__init__()
        self.pad = pad
        self.tok = nn.Embedding(vocab_size, d_model, padding_idx=pad)
        self.pos = nn.Parameter(torch.zeros(1, max_len, d_model))
        nn.init.normal_(self.pos, std=0.02)
        block = nn.TransformerEncoderLayer(d_model, heads, 2 * d_model, dropout=0.1,
                                           batch_first=True, norm_first=True)
        self.body = nn.TransformerEncoder(block, layers, enable_nested_tensor=False)
        self.norm = nn.LayerNorm(d_model)
        self.head = nn.Linear(d_model, n_classes)

    def forward(self, ids):
        mask = ids == self.pad
        h = self.body(self.tok(ids) + self.pos[:, :ids.size(1)], src_key_padding_mask=mask)
        return self.head(self.norm(h[:, 0]))
