import torch
import torch.nn.functional as F

from rollouts import InterleavedRollouts, Scaler, open_rollouts
from settings import Settings
from surrogate import Surrogate


def r2_score(model, inputs, target):
    model.eval()
    with torch.no_grad():
        residual = ((model(inputs) - target) ** 2).sum(0)
    spread = ((target - target.mean(0)) ** 2).sum(0)
    return (1 - residual / spread).mean().item()


def main(cfg=Settings()):
    torch.manual_seed(cfg.seed)
    files, test = open_rollouts(cfg.rollout_dir)
    scale_in = Scaler(torch.cat([f.inputs for f in files]))
    scale_out = Scaler(torch.cat([f.delta for f in files]))
    total = sum(len(f) for f in files)
    print(f"{len(files)} workers, {total} transitions, {len(test)} for evaluation")

    batches = InterleavedRollouts(files, cfg.per_worker, torch.Generator().manual_seed(cfg.seed))
    model = Surrogate(width=cfg.width)
    opt = torch.optim.AdamW(model.parameters(), lr=cfg.lr, weight_decay=1e-2)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=cfg.epochs * len(batches), eta_min=1e-5)

    test_x, test_y = scale_in(test.inputs), scale_out(test.delta)
    for epoch in range(1, cfg.epochs + 1):
        model.train()
        losses = []
        for x, y in batches:
            loss = F.mse_loss(model(scale_in(x)), scale_out(y))
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            losses.append(loss.item())
        if epoch % cfg.report_every == 0:
            score = r2_score(model, test_x, test_y)
            mse = F.mse_loss(model(test_x), test_y).item()
            print(f"epoch {epoch:3d}  train mse {sum(losses) / len(losses):.4f}  eval mse {mse:.4f}  eval R2 {score:.3f}")


if __name__ == "__main__":
    main()
