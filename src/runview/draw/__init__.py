"""One drawing of a run, for the page and for the file: its state as a tree of nodes from an allow-list.

`run.py` draws the whole and remembers what it drew; `parts.py` knows which file draws which kind of part; `tree.py` has the node
and the difference of two trees. `markdown.py` turns a growing text into blocks, `values.py` whatever a stream may hold into
something bounded. `html.py` and `text_form.py` write a tree out. Nothing here knows a widget, a loop or a file.
"""
