package dev.understudy.sidecar.verdict;

import java.util.ArrayList;
import java.util.List;

/**
 * What the copies of a listener lack without a lane having counted it, since lanes and relay are two processes.
 *
 * @param restarts how often the lane process was started again; what it had counted, and what waited in it, was lost
 * @param unknownBytes bytes of both directions that were in the rings, of connections whose beginning only an earlier
 *     lane process had seen
 * @param lostBytes bytes of both directions that found no room in the rings
 * @param lostConnections connections of which nothing found room in the rings
 * @param requestBytesBefore request bytes that were relayed before the lane process began, as last published
 */
public record TapGaps(long restarts, long unknownBytes, long lostBytes, long lostConnections, long requestBytesBefore) {
    /** Nothing is lacking. */
    public static final TapGaps NONE = new TapGaps(0, 0, 0, 0, 0);

    /** Whether there are any. */
    public boolean any() {
        return restarts > 0 || unknownBytes > 0 || lostBytes > 0 || lostConnections > 0;
    }

    /** In words: {@code the lane process was started again 1 time; 3 500 bytes of connections …}. */
    String statement() {
        List<String> parts = new ArrayList<>();
        if (restarts > 0) {
            parts.add("the lane process was started again " + counted(restarts, "time"));
        }
        if (unknownBytes > 0) {
            parts.add(counted(unknownBytes, "byte") + " of connections that it hadn't seen begin");
        }
        if (lostBytes > 0) {
            parts.add(counted(lostBytes, "byte") + " found no room in the rings");
        }
        if (lostConnections > 0) {
            parts.add("nothing of " + counted(lostConnections, "connection") + " found room in the rings");
        }
        return String.join("; ", parts) + (restarts > 0 ? "; since then " : "; otherwise ");
    }

    private static String counted(long number, String noun) {
        return Fidelity.grouped(number) + " " + noun + (number == 1 ? "" : "s");
    }
}
