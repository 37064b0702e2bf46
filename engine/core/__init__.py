"""What a log is made of: values, events, canonical JSON, errors, the events that every game knows."""
