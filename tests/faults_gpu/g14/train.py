import math

import torch
from torch import nn

torch.manual_seed(5)
vocab, length, width = 32, 48, 128
data = torch.randint(2, vocab, (3000, length))
data[:, 24:] = data[:, :24].flip(1)
train, held = data[:2700].cuda(), data[2700:].cuda()


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = nn.MultiheadAttention(width, 4, batch_first=True)
        self.first, self.second = nn.LayerNorm(width), nn.LayerNorm(width)
        self.feed = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x, mask):
        y = self.first(x)
        x = x + self.attention(y, y, y, attn_mask=mask, need_weights=False)[0]
        return x + self.feed(self.second(x))


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(vocab, width)
        self.place = nn.Parameter(torch.randn(length, width) * 0.02)
        self.blocks = nn.ModuleList(Block() for _ in range(3))
        self.norm = nn.LayerNorm(width)
        self.out = nn.Linear(width, vocab)

    def forward(self, ids):
        n = ids.shape[1]
        mask = torch.full((n, n), float("-inf"), device=ids.device).triu(1)
        x = self.embed(ids) + self.place[:n]
        for block in self.blocks:
            x = block(x, mask)
        return self.out(self.norm(x))


model = Model().cuda()
opt = torch.optim.AdamW(model.parameters(), lr=1e-3, betas=(0.9, 0.98), weight_decay=0.01)
steps = 600
sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: min(1, (s + 1) / 50) * 0.5 * (1 + math.cos(math.pi * s / steps)))
ce = nn.CrossEntropyLoss()
for step in range(steps):
    batch = train[torch.randint(0, len(train), (64,), device="cuda")]
    with torch.autocast("cuda", dtype=torch.bfloat16):
        logits = model(batch[:, :-1])
        loss = ce(logits.reshape(-1, vocab).float(), batch[:, 1:].reshape(-1))
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    opt.step()
    sched.step()
    if step % 100 == 99:
        model.eval()
        with torch.no_grad():
            out = model(held[:, :-1])
            v = ce(out[:, 23:].reshape(-1, vocab), held[:, 24:].reshape(-1))
        model.train()
        print(step + 1, round(loss.item(), 4), round(v.item(), 4))
