"""The scenarios as version 1 of the rules had them: stored games hold on to them."""
