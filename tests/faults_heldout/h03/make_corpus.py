"""Takes a slice of the Python language reference (pydoc topics) as a small text corpus."""
import re
from pydoc_data.topics import topics

text = "\n\n".join(topics[k] for k in sorted(topics))
text = text.lower()
text = re.sub(r"[^\x20-\x7e\n]", "", text)
text = re.sub(r"[ \t]+", " ", text)
text = re.sub(r"\n{3,}", "\n\n", text)
with open("corpus.txt", "w") as f:
    f.write(text[:150_000])
