"""Workers: long work and projections, as RQ jobs on a Redis of their own; each is safe to run twice."""
