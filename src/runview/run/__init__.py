"""What a run is: the state that a stream of chunks builds, and the values read off it. Pure: no loop, no widget, no I/O."""
