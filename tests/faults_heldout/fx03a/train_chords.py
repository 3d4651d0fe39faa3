#!/usr/bin/env python
"""Next-chord model for a practice app. Usage: train_chords.py [run.json]"""
import math
import sys
from dataclasses import dataclass, field
from pathlib import Path

import torch
from torch.utils.data import Dataset
from transformers import GPT2Config, GPT2LMHeadModel, HfArgumentParser, Trainer, TrainingArguments, set_seed

torch.set_num_threads(1)


@dataclass
class ModelArguments:
    n_embd: int = 48
    n_layer: int = 2
    n_head: int = 4
    dropout: float = 0.1


@dataclass
class DataArguments:
    train_file: str = field(default="songs_train.txt")
    valid_file: str = field(default="songs_valid.txt")
    max_len: int = 20


class Songs(Dataset):
    """One song per line; <s> in front, every song has the same number of bars."""

    def __init__(self, path, vocab, max_len):
        lines = Path(path).read_text().splitlines()
        self.rows = [[vocab["<s>"]] + [vocab[c] for c in ln.split()][: max_len - 1] for ln in lines]

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        ids = torch.tensor(self.rows[i])
        return {"input_ids": ids, "labels": ids.clone()}


def build_vocab(path):
    chords = sorted({c for ln in Path(path).read_text().splitlines() for c in ln.split()})
    return {c: i for i, c in enumerate(["<s>"] + chords)}


def main():
    parser = HfArgumentParser((ModelArguments, DataArguments, TrainingArguments))
    run_file = sys.argv[1] if len(sys.argv) > 1 else "run.json"
    margs, dargs, targs = parser.parse_json_file(run_file)
    set_seed(targs.seed)

    vocab = build_vocab(dargs.train_file)
    train = Songs(dargs.train_file, vocab, dargs.max_len)
    valid = Songs(dargs.valid_file, vocab, dargs.max_len)
    cfg = GPT2Config(vocab_size=len(vocab), n_positions=dargs.max_len, n_embd=margs.n_embd, n_layer=margs.n_layer,
                     n_head=margs.n_head, resid_pdrop=margs.dropout, embd_pdrop=margs.dropout,
                     attn_pdrop=margs.dropout, bos_token_id=0, eos_token_id=0)
    model = GPT2LMHeadModel(cfg)
    print(f"{sum(p.numel() for p in model.parameters())} parameters, {len(vocab)} chords, {len(train)} songs")

    trainer = Trainer(model=model, args=targs, train_dataset=train, eval_dataset=valid)
    trainer.train()
    loss = trainer.evaluate()["eval_loss"]
    print(f"validation perplexity {math.exp(loss):.2f}")


if __name__ == "__main__":
    main()
