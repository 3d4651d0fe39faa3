import torch
import torch.nn as nn


class MelodyTransformer(nn.Module):
    def __init__(self, n_symbols, max_len, d_model=64, n_head=4, n_layers=2):
        super().__init__()
        self.embed = nn.Embedding(n_symbols, d_model)
        self.position = nn.Parameter(0.02 * torch.randn(1, max_len, d_model))
        layer = nn.TransformerEncoderLayer(d_model, n_head, 2 * d_model, dropout=0.0, batch_first=True, norm_first=True)
        self.layers = nn.TransformerEncoder(layer, n_layers, norm=nn.LayerNorm(d_model), enable_nested_tensor=False)
        self.out = nn.Linear(d_model, n_symbols)

    def forward(self, notes):
        h = self.embed(notes) + self.position[:, : notes.size(1)]
        h = self.layers(h)
        return self.out(h)

    @torch.no_grad()
    def continue_tune(self, prompt, n_new):
        notes = prompt
        for _ in range(n_new):
            nxt = self(notes)[:, -1].argmax(dim=-1, keepdim=True)
            notes = torch.cat([notes, nxt], dim=1)
        return notes[:, prompt.size(1):]
