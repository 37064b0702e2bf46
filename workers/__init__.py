"""Workers: jobs and projections, run by RQ on a separate Redis; each is safe to run twice."""
