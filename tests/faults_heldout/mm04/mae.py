import torch
from torch import nn

PATCH, SIDE = 2, 4   # 8x8 image -> 16 patches of 2x2


def patchify(img):
    n = img.shape[0]
    x = img.reshape(n, SIDE, PATCH, SIDE, PATCH).permute(0, 1, 3, 2, 4)
    return x.reshape(n, SIDE * SIDE, PATCH * PATCH)


def block(d, heads):
    return nn.TransformerEncoderLayer(d, heads, 2 * d, dropout=0.0, activation="gelu",
                                      batch_first=True, norm_first=True)


class PatchEncoder(nn.Module):
    def __init__(self, d=32, depth=2, heads=4):
        super().__init__()
        self.embed = nn.Linear(PATCH * PATCH, d)
        self.pos = nn.Parameter(torch.randn(1, SIDE * SIDE, d) * 0.02)
        self.blocks = nn.ModuleList([block(d, heads) for _ in range(depth)])
        self.norm = nn.LayerNorm(d)
        self.d = d

    def forward(self, patches, keep=None):
        x = self.embed(patches) + self.pos
        if keep is not None:
            x = x.gather(1, keep.unsqueeze(-1).expand(-1, -1, self.d))
        for b in self.blocks:
            x = b(x)
        return self.norm(x)


class MAE(nn.Module):
    def __init__(self, encoder, d_dec=32):
        super().__init__()
        self.encoder = encoder
        self.enc2dec = nn.Linear(encoder.d, d_dec)
        self.mask_token = nn.Parameter(torch.zeros(1, 1, d_dec))
        self.dec_pos = nn.Parameter(torch.randn(1, SIDE * SIDE, d_dec) * 0.02)
        self.decoder = block(d_dec, 4)
        self.out = nn.Linear(d_dec, PATCH * PATCH)

    def forward(self, patches, ratio):
        n, L, _ = patches.shape
        k = int(round(L * (1 - ratio)))
        order = torch.rand(n, L).argsort(1)
        keep, drop = order[:, :k], order[:, k:]
        z = self.enc2dec(self.encoder(patches, keep))
        full = torch.cat([z, self.mask_token.expand(n, L - k, -1)], 1)
        back = order.argsort(1).unsqueeze(-1).expand(-1, -1, full.shape[-1])
        full = full.gather(1, back) + self.dec_pos
        rec = self.out(self.decoder(full))
        idx = drop.unsqueeze(-1).expand(-1, -1, patches.shape[-1])
        return ((rec - patches).gather(1, idx) ** 2).mean()


class Classifier(nn.Module):
    def __init__(self, encoder, classes=10):
        super().__init__()
        self.encoder = encoder
        self.head = nn.Linear(encoder.d * SIDE * SIDE, classes)
        nn.init.trunc_normal_(self.head.weight, std=0.02)
        nn.init.zeros_(self.head.bias)

    def forward(self, patches):
        return self.head(self.encoder(patches).flatten(1))
