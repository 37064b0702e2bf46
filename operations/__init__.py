"""Operations of a service: backup and doctor."""
