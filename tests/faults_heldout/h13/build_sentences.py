"""Writes sentences.txt: short English-like sentences from a small grammar with agreement."""
import random

random.seed(12)
nouns = {"dog": "dogs", "cat": "cats", "bird": "birds", "child": "children", "teacher": "teachers", "farmer": "farmers"}
verbs = {"sees": "see", "likes": "like", "follows": "follow", "hears": "hear", "helps": "help"}
pron = {"dog": "its", "cat": "its", "bird": "its", "child": "her", "teacher": "her", "farmer": "his"}
adjs = ["small", "old", "happy", "quiet", "brown", "clever"]
places = {"river": "near", "garden": "in", "roof": "on", "bridge": "under"}
lines = set()
while len(lines) < 5000:
    s = random.choice(list(nouns)); pl = random.random() < 0.5
    o = random.choice(list(nouns))
    v = random.choice(list(verbs))
    w = ["these" if pl else "this"]
    w += random.sample(adjs, random.randint(0, 2))
    w += [nouns[s] if pl else s, verbs[v] if pl else v]
    w += ["their" if pl else pron[s], o]
    if random.random() < 0.6:
        p = random.choice(list(places))
        w += [places[p], "the", p]
    if random.random() < 0.3:
        w += ["and", "they" if pl else "it", "sleep" if pl else "sleeps"]
    lines.add(" ".join(w))
lines = sorted(lines)
random.shuffle(lines)
open("sentences.txt", "w").write("\n".join(lines) + "\n")
