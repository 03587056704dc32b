"""Anything that streams, opened and closed in every case, as an asynchronous iterator of chunks in wire form."""
