package dev.understudy.session.target;

import java.net.InetSocketAddress;
import java.util.List;

/**
 * A server that the target is connected to.
 *
 * @param address where it is, as the target's own network sees it
 * @param names host names that mean this address to the target; the copy's hosts file needs them
 * @param protocol what is spoken there, guessed: a value of the aggregator's setting {@code protocol}
 * @param guess what the guess is based on, in a few words
 * @param tls whether the connections are encrypted
 * @param connections how many there are now; what they carry can't be recorded
 * @param isLive whether the copy's reads reach it where nothing recorded fits
 */
public record UpstreamAddress(
        InetSocketAddress address,
        List<String> names,
        String protocol,
        String guess,
        TlsUse tls,
        int connections,
        boolean isLive) {
    /** One that answers the copy by recorded replies only. */
    public UpstreamAddress(
            InetSocketAddress address, List<String> names, String protocol, String guess, TlsUse tls, int connections) {
        this(address, names, protocol, guess, tls, connections, false);
    }

    public UpstreamAddress {
        names = List.copyOf(names);
    }

    /** Whether production's connections to it are recorded, and the copy's are answered. */
    public boolean isRecorded() {
        return !protocol.equals(ListeningPort.NOT_COPIED);
    }

    /** Whether the server is on the target's own machine, or in its own container. */
    public boolean isLoopback() {
        return address.getAddress().isLoopbackAddress();
    }
}
