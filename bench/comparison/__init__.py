"""Our engine beside its peers: cases, scoring, the peers' processes, and the page."""
