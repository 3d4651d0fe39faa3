"""Takes running text from Python's own language reference as a small English corpus."""
import re
from pydoc_data.topics import topics

keys = ["classes", "exceptions", "execmodel", "import", "attribute-access", "with", "try", "function", "naming", "typesseq"]
text = "\n".join(topics[k] for k in keys if k in topics)
text = re.sub(r"[^a-zA-Z ,.;:'()\n]", "", text)
text = re.sub(r"\s+", " ", text).lower()
open("corpus.txt", "w").write(text[:120000])
