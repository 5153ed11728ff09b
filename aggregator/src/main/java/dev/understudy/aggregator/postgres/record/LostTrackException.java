package dev.understudy.aggregator.postgres.record;

/** What was said was too long to be read, and may have changed what everything after it means. */
final class LostTrackException extends RuntimeException {
    private static final long serialVersionUID = 1;

    LostTrackException(String why) {
        super(why, null, false, false);
    }
}
