// The modules that the record page needs only after a further tap. They are loaded once the page is usable.

import { adjustSheet } from "./adjust.js";
import { rangeForm } from "./freely.js";
import { openEvent, openMore } from "./opened.js";
import { revealSheet, unseen } from "./unseen.js";

export const sheets = { adjustSheet, openEvent, openMore, rangeForm, revealSheet, unseen };
