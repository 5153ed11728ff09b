package dev.understudy.aggregator.journal;

/** A call that production has under way; confined to whoever began it. */
public final class PendingCall {
    private final Runnable ending;
    private boolean over;

    PendingCall(Runnable ending) {
        this.ending = ending;
    }

    /** It is over, and recorded by now if it ever is. Does nothing the second time. */
    public void end() {
        if (!over) {
            over = true;
            ending.run();
        }
    }
}
