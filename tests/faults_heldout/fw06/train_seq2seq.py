import numpy as np
from datasets import Dataset
from transformers import (Seq2SeqTrainer, Seq2SeqTrainingArguments, T5Config,
                          T5ForConditionalGeneration, default_data_collator, set_seed)

from dataset import read_pairs, word_tokenizer

MAX_SOURCE, MAX_TARGET = 14, 8


def main():
    set_seed(101)
    train_pairs, test_pairs = read_pairs("times.train.tsv"), read_pairs("times.test.tsv")
    tokenizer = word_tokenizer(train_pairs)

    def preprocess(batch):
        enc = tokenizer(batch["source"], max_length=MAX_SOURCE, padding="max_length", truncation=True)
        out = tokenizer(batch["target"], max_length=MAX_TARGET, padding="max_length", truncation=True)
        enc["decoder_input_ids"] = out["input_ids"]
        enc["labels"] = [[t if t != tokenizer.pad_token_id else -100 for t in ids] for ids in out["input_ids"]]
        enc.pop("token_type_ids", None)
        return enc

    def to_dataset(pairs):
        ds = Dataset.from_dict({"source": [p[0] for p in pairs], "target": [p[1] for p in pairs]})
        return ds.map(preprocess, batched=True, remove_columns=ds.column_names)

    train, test = to_dataset(train_pairs), to_dataset(test_pairs)

    config = T5Config(
        vocab_size=len(tokenizer), d_model=64, d_kv=16, num_heads=4, d_ff=128, num_layers=2,
        num_decoder_layers=1, dropout_rate=0.05, feed_forward_proj="gated-gelu",
        pad_token_id=tokenizer.pad_token_id, eos_token_id=tokenizer.eos_token_id,
        decoder_start_token_id=tokenizer.pad_token_id,
    )
    model = T5ForConditionalGeneration(config)

    def exact_match(p):
        preds = np.where(p.predictions < 0, tokenizer.pad_token_id, p.predictions)
        gold = np.where(p.label_ids < 0, tokenizer.pad_token_id, p.label_ids)
        a = tokenizer.batch_decode(preds, skip_special_tokens=True)
        b = tokenizer.batch_decode(gold, skip_special_tokens=True)
        return {"exact_match": float(np.mean([x == y for x, y in zip(a, b)]))}

    args = Seq2SeqTrainingArguments(
        output_dir="t5-times", num_train_epochs=6, per_device_train_batch_size=16,
        per_device_eval_batch_size=150, learning_rate=3e-3, warmup_steps=20, weight_decay=0.0,
        lr_scheduler_type="cosine", logging_steps=50, eval_strategy="no", save_strategy="no",
        predict_with_generate=True, generation_max_length=7, report_to="none", use_cpu=True,
        disable_tqdm=True, seed=101,
    )
    trainer = Seq2SeqTrainer(model=model, args=args, train_dataset=train, eval_dataset=test,
                             data_collator=default_data_collator, compute_metrics=exact_match)
    trainer.train()
    res = trainer.evaluate()
    print(f"test loss {res['eval_loss']:.4f}  exact match {res['eval_exact_match']:.3f}")


if __name__ == "__main__":
    main()
