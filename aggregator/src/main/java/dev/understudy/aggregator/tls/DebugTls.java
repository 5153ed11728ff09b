package dev.understudy.aggregator.tls;

import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * What all debug ports of a process have in common where clients want TLS: the authority, and the certificates.
 * Thread-safe.
 */
public final class DebugTls {
    /** That may be resumed; the JDK would keep twenty thousand. */
    private static final int SESSIONS = 256;

    private final Authority authority;
    private final SslContext context;
    private final Executor handshakes;

    private DebugTls(Authority authority, SslContext context, Executor handshakes) {
        this.authority = authority;
        this.context = context;
        this.handshakes = handshakes;
    }

    /**
     * Makes an authority, or takes the one that a folder keeps, and a certificate for the debug ports.
     *
     * @param folder null if the authority may be another one after a restart
     * @param names further names and addresses by which the ports are reached; those of this machine are known
     * @param handshakes computes what a handshake needs, off the event loops
     * @throws IOException if the folder can't be used; the message names the file
     */
    public static DebugTls open(@Nullable Path folder, List<String> names, InstantSource clock, Executor handshakes)
            throws IOException {
        try {
            Authority authority = folder == null ? Authority.make(clock) : new AuthorityFolder(folder).open(clock);
            SslContext context = SslContextBuilder.forServer(new ServerCertificates(authority, known(names), clock))
                    .sslProvider(SslProvider.JDK)
                    .protocols(List.of("TLSv1.3", "TLSv1.2"))
                    .sessionCacheSize(SESSIONS)
                    .build();
            return new DebugTls(authority, context, new HandshakeQueue(handshakes));
        } catch (GeneralSecurityException e) {
            throw new IOException("debug-tls: " + e.getMessage(), e);
        }
    }

    /** Whether a certificate can be made out to this; a machine may call itself something else. */
    public static boolean fits(String name) {
        return HostName.fits(name);
    }

    /**
     * Checks a name or an address.
     *
     * @throws IllegalArgumentException if it is neither
     */
    public static String checkedName(String name) {
        return HostName.parse(name).spelled();
    }

    private static List<HostName> known(List<String> names) throws SocketException {
        Set<String> all = new LinkedHashSet<>(names);
        all.add("localhost");
        String host = System.getenv("HOSTNAME");
        if (host != null) {
            all.add(host);
        }
        for (NetworkInterface each : NetworkInterface.networkInterfaces().toList()) {
            each.inetAddresses().map(DebugTls::digits).forEach(all::add);
        }
        List<HostName> known = new ArrayList<>();
        for (String name : all) {
            if (HostName.fits(name) && !known.contains(HostName.parse(name))) {
                known.add(HostName.parse(name));
            }
        }
        return known;
    }

    private static String digits(InetAddress address) {
        String digits = address.getHostAddress();
        int zone = digits.indexOf('%');
        return zone < 0 ? digits : digits.substring(0, zone);
    }

    /**
     * The TLS of one upstream's debug port.
     *
     * @param protocols what is agreed on with clients that offer something (ALPN), in order of preference; with none,
     *     offers are ignored
     */
    public TlsPort port(String upstream, List<String> protocols) {
        return new TlsPort(upstream, protocols, context, handshakes);
    }

    /** The authority's certificate in PEM. */
    public byte[] pem() {
        try {
            return Exports.pem(authority.certificate());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A PKCS #12 truststore with the authority's certificate; its password is {@code changeit}. */
    public byte[] truststore() {
        try {
            return Exports.truststore(authority.certificate());
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
