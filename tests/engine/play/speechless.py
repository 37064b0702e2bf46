"""A package whose import fails with an error that has no text, and that is no `Exception`."""


class Speechless(BaseException):
    def __str__(self) -> str:
        raise RuntimeError


raise Speechless
