package dev.understudy.aggregator.production;

/**
 * What production exchanged with one upstream without the process that records.
 *
 * @param restarts how often that process was started again; what it had in memory was lost each time
 * @param lostBytes bytes for which the rings had no room
 * @param lostConnections connections of which nothing found room
 * @param unknownBytes bytes in the rings of connections that an earlier such process had seen begin
 * @param requestBytesBefore bytes of requests that were relayed before this process began, recorded or not
 */
public record RecordingGaps(
        int restarts, long lostBytes, long lostConnections, long unknownBytes, long requestBytesBefore) {
    public static final RecordingGaps NONE = new RecordingGaps(0, 0, 0, 0, 0);

    /** In the last line of a run; "" if nothing is missing. */
    public String sentence() {
        StringBuilder said = new StringBuilder();
        if (restarts > 0) {
            said.append(", the recorder process was started again ")
                    .append(restarts)
                    .append(restarts == 1 ? " time" : " times");
        }
        if (lostBytes > 0 || lostConnections > 0) {
            said.append(
                    ", %d bytes and %d connections found no room in the rings".formatted(lostBytes, lostConnections));
        }
        if (requestBytesBefore > 0) {
            said.append(", %d bytes of requests relayed before it began".formatted(requestBytesBefore));
        }
        return said.toString();
    }
}
