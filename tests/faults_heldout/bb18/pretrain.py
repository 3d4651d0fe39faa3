"""Stage 1: contrastive pre-training (SimCLR style) on unlabelled digit scans. Writes encoder weights."""
import torch
import torch.nn.functional as F

from common import Encoder, Projector, load_data, two_views

EPOCHS, BATCH, TEMPERATURE = 20, 128, 0.3


def nt_xent(a, b, temperature):
    z = F.normalize(torch.cat([a, b]), dim=1)
    sim = z @ z.T / temperature
    sim.fill_diagonal_(float("-inf"))
    n = len(a)
    positives = torch.cat([torch.arange(n, 2 * n), torch.arange(n)])
    return F.cross_entropy(sim, positives)


def pretrain(encoder):
    x = load_data()["unlabelled"]
    head = Projector()
    params = list(encoder.parameters()) + list(head.parameters())
    opt = torch.optim.AdamW(params, lr=4e-3, weight_decay=1e-4)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, EPOCHS * (len(x) // BATCH))
    for epoch in range(EPOCHS):
        encoder.train()
        total, steps = 0.0, 0
        for idx in torch.randperm(len(x)).split(BATCH):
            if len(idx) < BATCH:
                continue
            a, b = two_views(x[idx])
            loss = nt_xent(head(encoder(a)), head(encoder(b)), TEMPERATURE)
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            total, steps = total + loss.item(), steps + 1
        if epoch % 4 == 3:
            print(f"[pretrain] epoch {epoch + 1:2d}  nt-xent {total / steps:.3f}")
    return encoder
