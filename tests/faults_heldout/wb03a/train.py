import sys
from pathlib import Path

import torch
import torch.nn.functional as F

from decoder.corpus import load_config, load_frames
from decoder.schedule import ramp_cosine
from decoder.transformer import FrameDecoder

HERE = Path(__file__).resolve().parent


@torch.no_grad()
def score(model, frames):
    model.eval()
    loss, right, n = 0.0, 0, 0
    for wire, payload in frames.batches(256):
        logits = model(wire)
        loss += F.cross_entropy(logits.flatten(0, 1), payload.flatten(), reduction="sum").item()
        right += (logits.argmax(-1) == payload).sum().item()
        n += payload.numel()
    model.train()
    return loss / n, right / n


def main(config_path):
    cfg = load_config(config_path)
    torch.manual_seed(cfg["seed"])
    torch.set_num_threads(1)

    train, valid = load_frames(HERE / cfg["frames"], cfg["holdout"])
    model = FrameDecoder(**cfg["model"])
    opt_cfg = cfg["optim"]
    optimizer = torch.optim.Adam(model.parameters(), lr=opt_cfg["lr"], betas=tuple(opt_cfg["betas"]))
    scheduler = ramp_cosine(optimizer, opt_cfg["warmup_steps"], opt_cfg["steps"])
    generator = torch.Generator().manual_seed(cfg["seed"] + 1)

    step, running = 0, []
    while step < opt_cfg["steps"]:
        for wire, payload in train.batches(opt_cfg["batch_size"], generator):
            logits = model(wire)
            loss = F.cross_entropy(logits.flatten(0, 1), payload.flatten())
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            scheduler.step()
            running.append(loss.item())
            step += 1
            if step % cfg["log_every"] == 0:
                valid_loss, valid_acc = score(model, valid)
                print(f"step {step:4d} lr {scheduler.get_last_lr()[0]:.2e} "
                      f"train {sum(running) / len(running):.3f} valid {valid_loss:.3f} symbols {100 * valid_acc:.1f}%")
                running.clear()
            if step == opt_cfg["steps"]:
                break
    loss, acc = score(model, valid)
    print(f"done: valid loss {loss:.4f}, symbol accuracy {acc:.4f}")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "config.json")
