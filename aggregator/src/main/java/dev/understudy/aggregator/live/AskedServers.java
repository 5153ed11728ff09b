package dev.understudy.aggregator.live;

/**
 * The running servers that may answer what nothing recorded fits.
 *
 * @param real the real upstream, which is asked for reads alone
 * @param standin nobody's real service, which is asked anything
 */
public record AskedServers(LiveReads real, LiveReads standin) {
    /** Neither is asked. */
    public static final AskedServers NONE = new AskedServers(LiveReads.NONE, LiveReads.NONE);
}
