# Next-stop model: learn bus trips as sentences, then predict where a running trip goes next.
import argparse
import json
import logging
from dataclasses import dataclass
from pathlib import Path

import torch
from transformers import BertConfig, BertLMHeadModel, Trainer, TrainingArguments, set_seed

ROOT = Path(__file__).resolve().parent
logging.basicConfig(level=logging.INFO, format="%(message)s")
log = logging.getLogger("journeys")


@dataclass
class Corpus:
    train: torch.Tensor
    test: torch.Tensor
    vocab: dict

    @classmethod
    def read(cls, path):
        rows = [json.loads(line) for line in open(path)]
        words = sorted({w for r in rows for w in r["trip"].split()})
        vocab = {w: k for k, w in enumerate(["<pad>", "<s>"] + words)}
        def pick(fold):
            return torch.tensor([[vocab["<s>"]] + [vocab[w] for w in r["trip"].split()]
                                 for r in rows if r["fold"] == fold])
        return cls(pick("train"), pick("test"), vocab)


class Trips(torch.utils.data.Dataset):
    def __init__(self, ids):
        self.ids = ids

    def __len__(self):
        return len(self.ids)

    def __getitem__(self, k):
        return {"input_ids": self.ids[k], "attention_mask": torch.ones_like(self.ids[k]),
                "labels": self.ids[k]}


@torch.no_grad()
def next_stop_accuracy(model, ids, start=5):
    """Show the model the trip so far, ask for the next stop."""
    model.eval()
    hits = []
    for n in range(start, ids.shape[1]):
        logits = model(input_ids=ids[:, :n], attention_mask=torch.ones(len(ids), n)).logits
        hits.append((logits[:, -1].argmax(-1) == ids[:, n]).float().mean())
    return torch.stack(hits).mean().item()


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--model-config", default="bert_lm.json")
    p.add_argument("--epochs", type=float, default=12)
    p.add_argument("--lr", type=float, default=2e-3)
    p.add_argument("--batch", type=int, default=32)
    p.add_argument("--seed", type=int, default=20)
    return p.parse_args()


def main():
    a = parse()
    set_seed(a.seed)
    corpus = Corpus.read(ROOT / "trips.jsonl")
    config = BertConfig.from_json_file(str(ROOT / a.model_config))
    assert config.vocab_size == len(corpus.vocab)
    model = BertLMHeadModel(config)
    log.info("%d parameters, %d trips", model.num_parameters(), len(corpus.train))

    trainer = Trainer(
        model=model,
        args=TrainingArguments(
            output_dir="/tmp/journey_lm", num_train_epochs=a.epochs, learning_rate=a.lr,
            per_device_train_batch_size=a.batch, per_device_eval_batch_size=100,
            warmup_steps=40, lr_scheduler_type="cosine", weight_decay=0.01, seed=a.seed,
            eval_strategy="epoch", logging_steps=38, save_strategy="no", report_to=[],
            use_cpu=True, disable_tqdm=True),
        train_dataset=Trips(corpus.train), eval_dataset=Trips(corpus.test))
    trainer.train()
    log.info("next stop accuracy on test trips: %.3f", next_stop_accuracy(model, corpus.test))


if __name__ == "__main__":
    main()
