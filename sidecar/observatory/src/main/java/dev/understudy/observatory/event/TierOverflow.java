package dev.understudy.observatory.event;

import java.io.IOException;

/** A tier has more exchanges than may be held in memory; the message names the way out. */
public final class TierOverflow extends IOException {
    private static final long serialVersionUID = 1L;

    TierOverflow(String tier, int most) {
        super("the tier " + tier + " has more than " + most
                + " exchanges: allow more with --most-exchanges, or take a shorter recording");
    }
}
