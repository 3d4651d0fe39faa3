import torch
from torch import nn
import torch.nn.functional as F


class ConvTagger(nn.Module):
    def __init__(self, vocab_size, n_tags, dim=48, width=64, p_drop=0.1):
        super().__init__()
        self.embed = nn.Embedding(vocab_size, dim, padding_idx=0)
        self.conv1 = nn.Conv1d(dim, width, 3, padding=1)
        self.conv2 = nn.Conv1d(width, width, 3, padding=1)
        self.drop = nn.Dropout(p_drop)
        self.out = nn.Linear(width, n_tags)

    def forward(self, input_ids, mask, labels=None):
        m = mask.unsqueeze(1).float()
        x = self.drop(self.embed(input_ids)).transpose(1, 2) * m
        x = F.relu(self.conv1(x)) * m
        x = F.relu(self.conv2(x)) * m
        logits = self.out(self.drop(x.transpose(1, 2)))
        result = {"logits": logits}
        if labels is not None:
            result["loss"] = F.cross_entropy(
                logits.flatten(0, 1), labels.flatten(), ignore_index=-100
            )
        return result
