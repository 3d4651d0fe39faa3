# small causal LM on kitchen notes, word level
import numpy as np
import torch
from datasets import Dataset
from tokenizers import Tokenizer, models, pre_tokenizers, trainers
from transformers import (DataCollatorForLanguageModeling, GPT2Config, GPT2LMHeadModel,
                          PreTrainedTokenizerFast, Trainer, TrainerCallback, TrainingArguments, set_seed)

SEED = 7
CONTEXT = 32


def make_tokenizer(lines):
    tok = Tokenizer(models.WordLevel(unk_token="<unk>"))
    tok.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tok.train_from_iterator(lines, trainers.WordLevelTrainer(special_tokens=["<pad>", "<unk>", "<eos>"]))
    return PreTrainedTokenizerFast(tokenizer_object=tok, pad_token="<pad>", unk_token="<unk>", eos_token="<eos>")


def tokenize(batch, tokenizer):
    return tokenizer([t + " <eos>" for t in batch["text"]], truncation=True, max_length=CONTEXT)


def keep_argmax(logits, labels):
    return logits.argmax(dim=-1)


def next_word_accuracy(eval_pred):
    preds, labels = eval_pred
    mask = labels != -100
    correct = (preds == labels) & mask
    return {"accuracy": correct.sum() / mask.sum()}


class Log(TrainerCallback):
    def on_evaluate(self, args, state, control, metrics=None, **kw):
        print(f"step {state.global_step:4d}  eval loss {metrics['eval_loss']:.4f}  "
              f"ppl {np.exp(metrics['eval_loss']):.3f}  next-word acc {metrics['eval_accuracy']:.4f}")


def main():
    set_seed(SEED)
    with open("notes.txt") as f:
        lines = [l.strip() for l in f if l.strip()]
    ds = Dataset.from_dict({"text": lines}).train_test_split(test_size=0.15, seed=SEED)
    tokenizer = make_tokenizer(ds["train"]["text"])
    ds = ds.map(tokenize, batched=True, fn_kwargs={"tokenizer": tokenizer}, remove_columns=["text"])
    ds = ds.remove_columns([c for c in ds["train"].column_names if c not in ("input_ids", "attention_mask")])

    model = GPT2LMHeadModel(GPT2Config(
        vocab_size=len(tokenizer), n_positions=CONTEXT, n_embd=64, n_layer=2, n_head=4,
        resid_pdrop=0.05, embd_pdrop=0.05, attn_pdrop=0.05,
        bos_token_id=tokenizer.eos_token_id, eos_token_id=tokenizer.eos_token_id))

    args = TrainingArguments(
        output_dir="lm_out", num_train_epochs=4, per_device_train_batch_size=16, per_device_eval_batch_size=64,
        learning_rate=2e-3, lr_scheduler_type="cosine", warmup_steps=20, weight_decay=0.01,
        eval_strategy="steps", eval_steps=40, logging_steps=40, save_strategy="no", report_to="none",
        use_cpu=True, disable_tqdm=True, seed=SEED)
    trainer = Trainer(
        model=model, args=args, train_dataset=ds["train"], eval_dataset=ds["test"],
        data_collator=DataCollatorForLanguageModeling(tokenizer, mlm=False),
        preprocess_logits_for_metrics=keep_argmax, compute_metrics=next_word_accuracy, callbacks=[Log()])
    trainer.train()

    prompt = torch.tensor([tokenizer.convert_tokens_to_ids(["chop", "the"])])
    out = model.generate(prompt, attention_mask=torch.ones_like(prompt), max_new_tokens=14, do_sample=False,
                         pad_token_id=tokenizer.pad_token_id)
    print(tokenizer.decode(out[0], skip_special_tokens=True))


if __name__ == "__main__":
    main()
