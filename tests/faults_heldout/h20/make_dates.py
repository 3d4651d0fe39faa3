"""Writes dates.tsv: a human-written date and its ISO form; every calendar day appears once."""
import random
from datetime import date, timedelta

random.seed(40)
first = date(1960, 1, 1)
days = random.sample(range(70 * 365), 3000)
fmts = ["{d} {B} {Y}", "{B} {d}, {Y}", "{d}.{m}.{Y}", "{A}, {d} {b} {Y}", "{b} {d} {Y}", "{d:02d} {B} {Y}"]
with open("dates.tsv", "w") as f:
    for n in days:
        t = first + timedelta(days=n)
        s = random.choice(fmts).format(d=t.day, m=t.month, Y=t.year, B=t.strftime("%B"), b=t.strftime("%b"),
                                       A=t.strftime("%A"))
        f.write(f"{s.lower()}\t{t.isoformat()}\n")
