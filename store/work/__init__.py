"""Jobs, their files, audit reports and webhooks."""
