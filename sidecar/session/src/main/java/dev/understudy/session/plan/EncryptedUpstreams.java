package dev.understudy.session.plan;

import dev.understudy.session.target.TlsUse;
import dev.understudy.session.target.UpstreamAddress;
import java.util.Collection;
import java.util.List;

/** What is to be said of upstreams whose connections can't be read. */
public final class EncryptedUpstreams {
    private EncryptedUpstreams() {}

    /** A sentence for each, with the way out. */
    public static List<String> notes(Collection<UpstreamAddress> upstreams) {
        return upstreams.stream()
                .filter(upstream -> upstream.isRecorded() && upstream.tls() == TlsUse.YES)
                .map(upstream -> upstream.address().getAddress().getHostAddress() + ":"
                        + upstream.address().getPort()
                        + " speaks TLS, which only the service can open: what it asks there isn't recorded, and the"
                        + " copy gets no answer; let the service use a port without TLS (such as sslmode=disable), or"
                        + " set up the aggregator by hand with a certificate that the service trusts")
                .toList();
    }
}
