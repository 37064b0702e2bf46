"""Answer the questions about a text, as the page does."""

from __future__ import annotations

from exports.notation import Meaning, Question


def insert_answer(text: str, question: Question, answer: Meaning) -> str:
    """Return the text with a question's piece replaced by the answer."""
    before = text.split("\n")[: question.line - 1]
    at = sum(len(line) + 1 for line in before) + question.column - 1
    return text[:at] + answer.text + text[at + len(question.text) :]
