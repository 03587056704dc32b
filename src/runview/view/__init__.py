"""What people see: a run in a notebook, live and saved.

`stream_view.py` is the object that users hold. It shows one output, the run's static form (`static.py`), over which the page
draws the live view; `widget.py` is the comm to that page, `clock.py` decides when it is told something, `ending.py` makes sure
that the end arrives. `cells.py` knows which cell a run belongs to, `reading.py` what a cell that waits is owed, `terminal.py`
prints a run where there is no page.
"""
