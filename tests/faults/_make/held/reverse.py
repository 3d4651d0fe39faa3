"""Teach an encoder-decoder transformer to reverse short digit strings."""
from pathlib import Path

import torch
from torch import nn, Tensor

PAD, BOS, EOS = 10, 11, 12
FILE = Path(__file__).with_name("strings.txt")


def encode(line: str, width: int) -> list[int]:
    ids = [int(c) for c in line]
    return ids + [PAD] * (width - len(ids))


def dataset(lines: list[str]) -> tuple[Tensor, Tensor]:
    width = max(map(len, lines))
    source = torch.tensor([encode(s, width) for s in lines])
    target = torch.tensor([[BOS, *map(int, reversed(s)), EOS, *[PAD] * (width - len(s))] for s in lines])
    return source, target


class Reverser(nn.Module):
    def __init__(self, d=32, longest=64):
        super().__init__()
        self.embed = nn.Embedding(13, d, padding_idx=PAD)
        self.where = nn.Parameter(0.1 * torch.randn(longest, d))
        self.core = nn.Transformer(d, 4, 1, 1, 64, dropout=0.0, batch_first=True)
        self.out = nn.Linear(d, 13)

    def forward(self, src: Tensor, tgt: Tensor) -> Tensor:
        causal = torch.triu(torch.ones(tgt.shape[1], tgt.shape[1], dtype=torch.bool), diagonal=1)
        hidden = self.core(
            self.embed(src) + self.where[: src.shape[1]],
            self.embed(tgt) + self.where[: tgt.shape[1]],
            tgt_mask=causal,
            src_key_padding_mask=src == PAD,
            tgt_key_padding_mask=tgt == PAD,
            memory_key_padding_mask=src == PAD,
        )
        return self.out(hidden)


def right_strings(model: Reverser, src: Tensor, tgt: Tensor) -> float:
    """Share of characters that greedy decoding gets right."""
    model.eval()
    with torch.no_grad():
        ids = torch.full((len(src), 1), BOS)
        for _ in range(tgt.shape[1] - 1):
            ids = torch.cat([ids, model(src, ids)[:, -1:].argmax(-1)], dim=1)
    model.train()
    real = tgt[:, 1:] != PAD
    return (ids[:, 1:] == tgt[:, 1:])[real].float().mean().item()


torch.manual_seed(8)
lines = FILE.read_text().split()
src, tgt = dataset(lines)
hold = len(lines) // 10
model = Reverser()
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
criterion = nn.CrossEntropyLoss(ignore_index=PAD)
for step in range(1, 401):
    rows = torch.randint(hold, len(lines), (48,))
    logits = model(src[rows], tgt[rows, :-1])
    loss = criterion(logits.flatten(0, 1), tgt[rows, 1:].flatten())
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    if step % 80 == 0:
        print(f"step {step}: loss {loss.item():.4f}, greedy decoding right {right_strings(model, src[:40], tgt[:40]):.3f}")
