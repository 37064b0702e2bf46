"""The parts of a log: values, canonical JSON, errors, and events, including those that every game has."""
