"""Workers: jobs and projections, which RQ runs on a separate Redis. It does no harm to run one twice."""
