"""The parts of a log: values, events, canonical JSON, errors, and the events that every game has."""
