import torch
from torch import nn
from torch.nn import functional as F


class Block(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.norm1 = nn.LayerNorm(dim)
        self.norm2 = nn.LayerNorm(dim)
        self.qkv = nn.Linear(dim, 3 * dim, bias=False)
        self.proj = nn.Linear(dim, dim)
        self.mlp = nn.Sequential(nn.Linear(dim, 3 * dim), nn.GELU(), nn.Linear(3 * dim, dim))

    def forward(self, x):
        b, t, d = x.shape
        q, k, v = self.qkv(self.norm1(x)).view(b, t, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4)
        att = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.proj(att.transpose(1, 2).reshape(b, t, d))
        return x + self.mlp(self.norm2(x))


class Decoder(nn.Module):
    def __init__(self, vocab, context, dim=64, heads=4, layers=2):
        super().__init__()
        self.context = context
        self.token = nn.Embedding(vocab, dim)
        self.place = nn.Embedding(context, dim)
        self.blocks = nn.Sequential(*[Block(dim, heads) for _ in range(layers)])
        self.norm = nn.LayerNorm(dim)
        self.out = nn.Linear(dim, vocab, bias=False)
        nn.init.normal_(self.token.weight, std=0.08)
        nn.init.normal_(self.place.weight, std=0.08)
        self.out.weight = self.token.weight

    def forward(self, ids):
        x = self.token(ids) + self.place.weight[: ids.shape[1]]
        return self.out(self.norm(self.blocks(x)))

    @torch.no_grad()
    def continue_text(self, ids, count):
        self.eval()
        for _ in range(count):
            probs = self(ids[:, -self.context :])[:, -1].div(0.8).softmax(-1)
            ids = torch.cat([ids, torch.multinomial(probs, 1)], 1)
        return ids
