import torch
import torch.nn as nn


class TransferClassifier(nn.Module):
    def __init__(self, backbone, head_cfg, n_classes, frozen):
        super().__init__()
        self.backbone = backbone
        self.frozen = frozen
        self.head = nn.Sequential(
            nn.LayerNorm(backbone.out_dim),
            nn.Linear(backbone.out_dim, head_cfg.hidden),
            nn.GELU(),
            nn.Dropout(head_cfg.dropout),
            nn.Linear(head_cfg.hidden, n_classes),
        )

    def train(self, mode=True):
        super().train(mode)
        if self.frozen:
            self.backbone.eval()
        return self

    def forward(self, x):
        return self.head(self.backbone(x))


def build_optimizer(model, cfg):
    groups = [{"params": model.head.parameters(), "lr": cfg.head.lr}]
    if not cfg.backbone.freeze:
        groups.append({"params": model.backbone.parameters(), "lr": cfg.head.lr / 20})
    return torch.optim.AdamW(groups, weight_decay=cfg.head.weight_decay)
