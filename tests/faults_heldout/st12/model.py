import torch
import torch.nn as nn


class Block(nn.Module):
    def __init__(self, width, drop):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.up = nn.Linear(width, 2 * width)
        self.down = nn.Linear(2 * width, width)
        self.drop = nn.Dropout(drop)

    def forward(self, h):
        return h + self.drop(self.down(torch.relu(self.up(self.norm(h)))))


class ResponseNet(nn.Module):
    def __init__(self, drugs, lines, dim=8, width=32, drop=0.1):
        super().__init__()
        self.drug = nn.Embedding(drugs, dim)
        self.line = nn.Embedding(lines, dim)
        nn.init.normal_(self.drug.weight, std=0.3)
        nn.init.normal_(self.line.weight, std=0.3)
        self.mix = nn.Linear(3 * dim, width)
        self.block = Block(width, drop)
        self.out = nn.Linear(width, 1)

    def forward(self, d, c):
        a, b = self.drug(d), self.line(c)
        h = self.mix(torch.cat([a, b, a * b], -1))
        return self.out(self.block(h)).squeeze(-1)

    def configure_optimizer(self, lr, weight_decay):
        decay, plain = [], []
        for module in self.modules():
            if isinstance(module, nn.Linear):
                decay.append(module.weight)
                plain.append(module.bias)
            elif isinstance(module, nn.LayerNorm):
                plain += [module.weight, module.bias]
        groups = [{"params": decay, "weight_decay": weight_decay},
                  {"params": plain, "weight_decay": 0.0}]
        return torch.optim.AdamW(groups, lr=lr, betas=(0.9, 0.98))
