import torch
from torch import nn


class MaskedTagLoss(nn.Module):
    """cross-entropy with label smoothing, averaged over the real tokens of the batch"""

    def __init__(self, smoothing=0.05):
        super().__init__()
        self.smoothing = smoothing

    def forward(self, logits, tags, mask):
        logp = logits.log_softmax(-1)
        nll = -logp.gather(-1, tags.clamp(min=0).unsqueeze(-1)).squeeze(-1)
        smooth = -logp.mean(-1)
        per_token = (1 - self.smoothing) * nll + self.smoothing * smooth
        return (per_token * mask).sum() / mask.sum()


class Encoder(nn.Module):
    """trigram-window encoder pre-trained on the unlabelled reports"""

    def __init__(self, n_vocab, dim=32):
        super().__init__()
        self.embed = nn.Embedding(n_vocab, dim, padding_idx=0)
        self.mix = nn.Conv1d(dim, dim, 3, padding=1)
        self.norm = nn.LayerNorm(dim)

    def forward(self, ids):
        e = self.embed(ids)
        h = torch.relu(self.mix(e.transpose(1, 2)).transpose(1, 2))
        return self.norm(e + h)


class Tagger(nn.Module):
    def __init__(self, n_vocab, n_tags, dim=32):
        super().__init__()
        self.encoder = Encoder(n_vocab, dim)
        self.drop = nn.Dropout(0.2)
        self.head = nn.Linear(dim, n_tags)
        self.loss = MaskedTagLoss()

    def forward(self, ids, tags=None):
        logits = self.head(self.drop(self.encoder(ids)))
        if tags is None:
            return logits
        return self.loss(logits, tags, (ids != 0).float()), logits
