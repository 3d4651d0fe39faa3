import torch
import torch.nn as nn


class Encoder(nn.Module):
    """Small residual network, (B, 1, 8, 8) -> (B, 2 * width)."""

    def __init__(self, width):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(1, width, 3, padding=1, bias=False), nn.BatchNorm2d(width), nn.ReLU())
        self.block = nn.Sequential(nn.Conv2d(width, width, 3, padding=1, bias=False), nn.BatchNorm2d(width), nn.ReLU(),
                                   nn.Conv2d(width, width, 3, padding=1, bias=False), nn.BatchNorm2d(width))
        self.down = nn.Sequential(nn.Conv2d(width, 2 * width, 3, stride=2, padding=1, bias=False),
                                  nn.BatchNorm2d(2 * width), nn.ReLU())
        self.out_dim = 2 * width * 4

    def forward(self, x):
        x = self.stem(x)
        x = torch.relu(x + self.block(x))
        return nn.functional.adaptive_max_pool2d(self.down(x), 2).flatten(1)


def build_backbone(cfg, root):
    encoder = Encoder(cfg.width)
    state = torch.load(root / cfg.checkpoint, weights_only=True)
    encoder.load_state_dict(state["encoder"])
    if cfg.freeze:
        encoder.requires_grad_(False)
        encoder.eval()
    print(f"backbone from {cfg.checkpoint} (source accuracy {state['val_acc']:.3f}), frozen: {cfg.freeze}")
    return encoder
