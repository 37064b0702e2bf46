// The transcript: the button that prints.

document.getElementById("print").addEventListener("click", () => window.print());
