package dev.understudy.sidecar.label;

/**
 * Which bytes of which connection to the debug JVM a request was.
 *
 * @param port the sidecar's own, of that connection; 0 if it isn't known
 * @param from how many bytes that JVM was sent there before
 * @param to how many it was sent there with it
 */
public record Place(int port, long from, long to) {
    /** No place. */
    public static final Place UNKNOWN = new Place(0, 0, 0);

    /** The same up to there. */
    public Place to(long end) {
        return new Place(port, from, end);
    }

    /** Whether it is one. */
    public boolean isKnown() {
        return port > 0;
    }
}
