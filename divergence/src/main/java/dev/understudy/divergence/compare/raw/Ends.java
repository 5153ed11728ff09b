package dev.understudy.divergence.compare.raw;

import dev.understudy.divergence.compare.NotCompared;
import dev.understudy.divergence.compare.Verdict;
import dev.understudy.divergence.compare.VerdictKind;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** How the two sides of a connection ended, and what that makes of a turn. Confined to one thread. */
final class Ends {
    private long askedEndAfter = Long.MAX_VALUE;
    private boolean productionEnded;
    private boolean productionEndedFirst;
    private boolean productionOver;
    private @Nullable NotCompared cut;
    private boolean debugEnded;
    private @Nullable NotCompared debugOver;
    private boolean passedOver;

    /** The client says nothing more since production has said so many bytes. */
    void client(long production) {
        askedEndAfter = Math.min(askedEndAfter, production);
    }

    void productionEnded() {
        productionEnded = true;
        productionEndedFirst = askedEndAfter == Long.MAX_VALUE;
    }

    void productionOver(@Nullable NotCompared why) {
        productionOver = true;
        cut = why;
    }

    boolean isProductionOver() {
        return productionOver;
    }

    void debugEnded() {
        debugEnded = true;
    }

    void debugOver(NotCompared why) {
        debugOver = why;
    }

    /** Why debug says nothing more; null if it may. */
    @Nullable
    NotCompared debugOver() {
        return debugOver;
    }

    /** Debug is told something; it has said so many bytes by then, and production had said so many. */
    void told(long debug, long production) {
        passedOver |= debugOver == null && debug < production;
    }

    /** The same of the client's end. */
    void toldEnd(long debug, long production) {
        told(debug, Math.min(askedEndAfter, production));
    }

    /**
     * What comes of {@code turn}.
     *
     * @param last whether it is the connection's last one
     * @param debug how many bytes debug has said
     * @param rest what production said and debug didn't
     * @param compared whether all was that debug said before it was told what followed
     * @param why if it wasn't
     */
    Verdict verdict(RawTurn turn, boolean last, long debug, ByteBuffer rest, boolean compared, NotCompared why) {
        NotCompared missing = last && productionOver ? cut : null;
        if (last && !turn.replied() && !(turn.hasOtherLength() && productionEndedFirst)) {
            return Verdict.notCompared(missing == null ? NotCompared.NO_PRODUCTION_REPLY : missing);
        }
        boolean isShort = debug < turn.to;
        if (!turn.differs() && isShort && last && missing == null && bothEnded()) {
            turn.showProduction(rest);
            turn.length(debug - turn.from);
        }
        if (turn.differs() || (turn.hasOtherLength() && missing == null)) {
            boolean incomplete = (isShort || missing != null) && !turn.hasOtherLength();
            return new Verdict(VerdictKind.DIFFERENT, incomplete ? NotCompared.INCOMPLETE : null, turn.differences());
        }
        if (isShort) {
            boolean begun = debug > turn.from;
            return Verdict.notCompared(begun || debugOver == null ? NotCompared.INCOMPLETE : debugOver);
        }
        if (missing != null) {
            return Verdict.notCompared(missing);
        }
        return compared ? Verdict.SAME : Verdict.notCompared(why);
    }

    /** Both have ended what they said, having been told the same. */
    private boolean bothEnded() {
        return debugEnded && productionEnded && !passedOver;
    }
}
