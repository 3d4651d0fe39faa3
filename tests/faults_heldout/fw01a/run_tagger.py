"""Slot tagger for order messages (quantities, goods, cities, weekdays)."""
import json
from pathlib import Path

import numpy as np
from datasets import Dataset, DatasetDict
from tokenizers import Tokenizer, models, pre_tokenizers, trainers
from transformers import (
    BertConfig,
    BertForTokenClassification,
    DataCollatorForTokenClassification,
    PreTrainedTokenizerFast,
    Trainer,
    TrainingArguments,
    set_seed,
)

TAGS = ["O", "B-QTY", "I-QTY", "B-ITEM", "I-ITEM", "B-CITY", "I-CITY", "B-DAY"]
TAG2ID = {t: i for i, t in enumerate(TAGS)}
MAX_LEN = 32


def read_jsonl(path):
    rows = [json.loads(line) for line in Path(path).read_text().splitlines() if line]
    return Dataset.from_dict({"words": [r["words"] for r in rows], "tags": [r["tags"] for r in rows]})


def build_tokenizer(sentences):
    tok = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tok.pre_tokenizer = pre_tokenizers.Whitespace()
    trainer = trainers.WordPieceTrainer(
        vocab_size=420, min_frequency=2, special_tokens=["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
    )
    tok.train_from_iterator((" ".join(s) for s in sentences), trainer)
    from tokenizers.processors import TemplateProcessing

    tok.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]",
        special_tokens=[("[CLS]", tok.token_to_id("[CLS]")), ("[SEP]", tok.token_to_id("[SEP]"))],
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=tok, pad_token="[PAD]", unk_token="[UNK]", cls_token="[CLS]", sep_token="[SEP]"
    )


def encode(batch, tokenizer):
    enc = tokenizer(batch["words"], is_split_into_words=True, truncation=True, max_length=MAX_LEN)
    labels = []
    for i, tags in enumerate(batch["tags"]):
        prev, row = None, []
        for w in enc.word_ids(batch_index=i):
            if w is None or w == prev:
                row.append(-100)          # specials and continuation pieces
            else:
                row.append(TAG2ID[tags[w]])
            prev = w
        labels.append(row)
    enc["labels"] = labels
    return enc


def compute_metrics(p):
    pred = p.predictions.argmax(-1)
    gold = p.label_ids
    keep = gold != -100
    pred, gold = pred[keep], gold[keep]
    hit = ((pred == gold) & (gold != 0)).sum()
    precision = hit / max((pred != 0).sum(), 1)
    recall = hit / max((gold != 0).sum(), 1)
    return {
        "token_acc": float((pred == gold).mean()),
        "slot_f1": float(2 * precision * recall / max(precision + recall, 1e-9)),
    }


def main():
    set_seed(17)
    raw = DatasetDict(train=read_jsonl("data/train.jsonl"), validation=read_jsonl("data/dev.jsonl"))
    tokenizer = build_tokenizer(raw["train"]["words"])
    ds = raw.map(lambda b: encode(b, tokenizer), batched=True, remove_columns=["words", "tags"])

    config = BertConfig(
        vocab_size=len(tokenizer), hidden_size=64, num_hidden_layers=2, num_attention_heads=4,
        intermediate_size=128, max_position_embeddings=64, num_labels=len(TAGS),
        id2label=dict(enumerate(TAGS)), label2id=TAG2ID, pad_token_id=tokenizer.pad_token_id,
    )
    model = BertForTokenClassification(config)
    args = TrainingArguments(
        output_dir="out", num_train_epochs=5, per_device_train_batch_size=16,
        per_device_eval_batch_size=64, learning_rate=1e-3, weight_decay=0.01, warmup_steps=30,
        lr_scheduler_type="linear", eval_strategy="epoch", logging_steps=30, save_strategy="no",
        report_to="none", use_cpu=True, disable_tqdm=True, seed=17,
    )
    trainer = Trainer(
        model=model, args=args, train_dataset=ds["train"], eval_dataset=ds["validation"],
        data_collator=DataCollatorForTokenClassification(tokenizer), processing_class=tokenizer,
        compute_metrics=compute_metrics,
    )
    trainer.train()
    final = trainer.evaluate()
    print({k: round(v, 4) for k, v in final.items() if isinstance(v, float)})


if __name__ == "__main__":
    main()
