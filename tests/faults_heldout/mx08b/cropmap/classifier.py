from torch import nn


class CropClassifier(nn.Module):
    def __init__(self, encoder, n_crops):
        super().__init__()
        self.encoder = encoder
        self.head = nn.Linear(encoder.n_out, n_crops)

    def forward(self, x):
        return self.head(self.encoder(x))
