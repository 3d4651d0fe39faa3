import time

import torch
from torch import nn
from torch.utils.data import DataLoader

from dates import BOS, PAD, VOCAB, collate, make_split
from seq2seq import DateTransformer

STEPS, WARMUP, BATCH = 400, 80, 48
torch.manual_seed(9)

train_pairs = make_split(6000, seed=1)
test_pairs = make_split(300, seed=2, exclude=[s for s, _ in train_pairs])
loader = DataLoader(train_pairs, batch_size=BATCH, shuffle=True, collate_fn=collate, drop_last=True)

model = DateTransformer(VOCAB)
criterion = nn.CrossEntropyLoss(ignore_index=PAD, label_smoothing=0.05)
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3, betas=(0.9, 0.98), weight_decay=1e-2)
schedule = torch.optim.lr_scheduler.LambdaLR(
    optimizer, lambda s: min((s + 1) / WARMUP, max(0.05, (STEPS - s) / (STEPS - WARMUP))))


def stream():
    while True:
        yield from loader


@torch.no_grad()
def exact_match():
    model.eval()
    src, _, want = collate(test_pairs)
    ids = torch.full((len(src), 1), BOS)
    for _ in range(want.size(1)):
        ids = torch.cat([ids, model(src, ids)[:, -1].argmax(-1, keepdim=True)], dim=1)
    model.train()
    return (ids[:, 1:] == want).all(1).float().mean().item()


started, window = time.time(), []
model.train()
for step, (src, tgt_in, tgt_out) in zip(range(1, STEPS + 1), stream()):
    logits = model(src, tgt_in)
    loss = criterion(logits.flatten(0, 1), tgt_out.flatten())
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    schedule.step()
    window.append(loss.item())
    if step % 100 == 0:
        print(f"step {step} loss {sum(window) / len(window):.4f} exact {exact_match():.3f} "
              f"lr {schedule.get_last_lr()[0]:.1e} {time.time() - started:.1f}s", flush=True)
        window.clear()
