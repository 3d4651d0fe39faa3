"""Small GPT-2 on lab protocols, trained with Accelerate."""
import math

import torch
import yaml
from accelerate import Accelerator
from accelerate.utils import set_seed
from torch.utils.data import DataLoader
from transformers import GPT2Config, GPT2LMHeadModel, get_cosine_schedule_with_warmup

from corpus import HERE, Blocks, Words, read


@torch.no_grad()
def validate(accelerator, model, loader):
    model.eval()
    losses = []
    for batch in loader:
        out = model(**batch)
        losses.append(accelerator.gather_for_metrics(out.loss.repeat(len(batch["input_ids"]))))
    model.train()
    return torch.cat(losses).mean().item()


@torch.no_grad()
def complete(model, words, prompt, n):
    model.eval()
    ids = words.encode(prompt)[None, :-1]
    for _ in range(n):
        nxt = model(input_ids=ids).logits[:, -1].argmax(-1)
        ids = torch.cat([ids, nxt[:, None]], 1)
    return " ".join(words.itos[k] for k in ids[0].tolist())


def step_score(model, words, text, start=5, length=40):
    """Share of held-out words guessed right from the words before them."""
    model.eval()
    hit = seen = 0
    for line in text.splitlines():
        ids = words.encode(line)[None, :length]
        with torch.no_grad():
            guess = model(input_ids=ids).logits[0, start:-1].argmax(-1)
        hit += (guess == ids[0, start + 1:]).sum().item()
        seen += len(guess)
    return hit / seen


def main():
    cfg = yaml.safe_load((HERE / "settings.yaml").read_text())
    set_seed(cfg["seed"])
    accelerator = Accelerator(cpu=True)
    words = Words(read("train"))
    train = DataLoader(Blocks(words.encode(read("train")), cfg["block"]), cfg["batch"], shuffle=True)
    valid = DataLoader(Blocks(words.encode(read("heldout")), cfg["block"]), 32)

    model = GPT2LMHeadModel(GPT2Config(vocab_size=len(words), bos_token_id=1, eos_token_id=1, **cfg["model"]))
    optimizer = torch.optim.AdamW(model.parameters(), lr=cfg["lr"], weight_decay=cfg["weight_decay"])
    schedule = get_cosine_schedule_with_warmup(optimizer, cfg["warmup"], cfg["epochs"] * len(train))
    model, optimizer, train, valid, schedule = accelerator.prepare(model, optimizer, train, valid, schedule)

    for epoch in range(cfg["epochs"]):
        model.train()
        total = 0.0
        for batch in train:
            loss = model(**batch).loss
            accelerator.backward(loss)
            accelerator.clip_grad_norm_(model.parameters(), cfg["clip"])
            optimizer.step()
            schedule.step()
            optimizer.zero_grad()
            total += loss.item()
        val = validate(accelerator, model, valid)
        accelerator.print(f"epoch {epoch}: train {total / len(train):.3f}  valid {val:.3f}  ppl {math.exp(val):.2f}")

    plain = accelerator.unwrap_model(model)
    accelerator.print(complete(plain, words, "step 1 : add", 14))
    accelerator.print(f"held-out word accuracy {step_score(plain, words, read('heldout')):.3f}")


if __name__ == "__main__":
    main()
