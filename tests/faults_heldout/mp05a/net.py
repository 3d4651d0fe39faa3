import torch
from torch import nn
from transformers import GPT2Config, GPT2Model

BASES = {b: i for i, b in enumerate("ACGT")}
KMER = 3


def kmer_ids(read):
    """Overlapping 3-mers as base-4 numbers."""
    codes = [BASES[c] for c in read]
    return [codes[i] * 16 + codes[i + 1] * 4 + codes[i + 2] for i in range(len(codes) - KMER + 1)]


def encoder_config(max_len):
    return GPT2Config(vocab_size=64, n_positions=max_len, n_embd=40, n_layer=2, n_head=4, n_inner=80,
                      resid_pdrop=0.1, embd_pdrop=0.1, attn_pdrop=0.0,
                      bos_token_id=None, eos_token_id=None, use_cache=False)


class ReadClassifier(nn.Module):
    def __init__(self, n_classes, max_len=58):
        super().__init__()
        self.encoder = GPT2Model(encoder_config(max_len))
        self.head = nn.Linear(self.encoder.config.n_embd, n_classes)

    def forward(self, ids):
        hidden = self.encoder(input_ids=ids).last_hidden_state
        return self.head(hidden.mean(dim=1))
