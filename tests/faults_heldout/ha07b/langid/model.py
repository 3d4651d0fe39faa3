import torch
from torch import nn


class CharConv(nn.Module):
    def __init__(self, n_langs, dim, channels, kernel):
        super().__init__()
        self.embed = nn.Embedding(28, dim, padding_idx=0)
        self.conv1 = nn.Conv1d(dim, channels, kernel)
        self.conv2 = nn.Conv1d(channels, channels, 3)
        self.classify = nn.Linear(channels, n_langs)

    def forward(self, ids):
        h = self.embed(ids).transpose(1, 2)
        h = torch.relu(self.conv1(h))
        h = torch.relu(self.conv2(h))
        return self.classify(h.amax(-1))


def set_trainable(model, groups):
    """Only the listed top-level groups receive updates; '*' means all."""
    for name, p in model.named_parameters():
        p.requires_grad_("*" in groups or name.split(".")[0] in groups)
    return [p for p in model.parameters() if p.requires_grad]
