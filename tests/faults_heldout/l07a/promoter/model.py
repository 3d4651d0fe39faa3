import torch
from torch import nn


class PromoterNet(nn.Module):
    def __init__(self, channels, motif_width, mix_channels, dropout):
        super().__init__()
        # 2-bit purine/pyrimidine and strong/weak code next to the one-hot code
        code = torch.cat([torch.eye(4), torch.tensor([[1., -1.], [-1., 1.], [1., 1.], [-1., -1.]])], dim=1)
        self.base_code = nn.Embedding.from_pretrained(code, freeze=False)
        self.scan = nn.Conv1d(6, channels, motif_width, padding=motif_width // 2)
        self.mix = nn.Conv1d(channels, mix_channels, motif_width, padding=motif_width // 2)
        self.drop = nn.Dropout(dropout)
        self.readout = nn.Linear(mix_channels, 1)

    def forward(self, x):
        z = self.base_code(x).transpose(1, 2)
        z = torch.relu(self.scan(z))
        z = torch.relu(self.mix(z)).amax(dim=2)
        return self.readout(self.drop(z)).squeeze(1)
