package dev.understudy.relay.deliver;

import dev.understudy.relay.tap.TapConnection;
import dev.understudy.relay.tls.ClientTls;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.SslHandler;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The debug JVM's address, shared by the lanes that lead there, and when it may be tried next.
 *
 * <p>While it can't be reached, all its lanes together make one connect attempt per back-off (50 ms, doubled up to 1
 * s), so that ten thousand waiting lanes cost what one does. With TLS it counts as reached after the handshake.
 * Thread-safe.
 */
public final class DebugPeer {
    private static final Logger LOG = LoggerFactory.getLogger(DebugPeer.class);

    private final SocketAddress address;
    private final int connectTimeoutMillis;
    private final @Nullable ClientTls tls;
    private final Attempts attempts;
    private final byte[] preface;
    private final @Nullable String agreed;

    /**
     * A debug JVM that listens, or will listen, on {@code address}, and is spoken to in plain text.
     *
     * @param address may be unresolved: the name is then looked up at each connect
     * @param connectTimeout how long it may take to accept, at least 1 ms
     */
    public DebugPeer(SocketAddress address, Duration connectTimeout) {
        this(address, connectTimeout, (ClientTls) null);
    }

    /**
     * The same, spoken to in TLS.
     *
     * @param connectTimeout also that of the handshake
     * @param tls null for plain text
     */
    public DebugPeer(SocketAddress address, Duration connectTimeout, @Nullable ClientTls tls) {
        this(address, connectTimeout, tls, System::nanoTime);
    }

    DebugPeer(SocketAddress address, Duration connectTimeout, LongSupplier nanoClock) {
        this(address, connectTimeout, null, nanoClock);
    }

    private DebugPeer(SocketAddress address, Duration connectTimeout, @Nullable ClientTls tls, LongSupplier nanoClock) {
        this.address = address;
        this.connectTimeoutMillis = (int) Math.max(1, Math.min(Integer.MAX_VALUE, connectTimeout.toMillis()));
        this.tls = tls;
        this.attempts = new Attempts(nanoClock);
        this.preface = new byte[0];
        this.agreed = null;
    }

    private DebugPeer(DebugPeer same, byte[] preface, @Nullable String agreed) {
        this.address = same.address;
        this.connectTimeoutMillis = same.connectTimeoutMillis;
        this.tls = same.tls;
        this.attempts = same.attempts;
        this.preface = preface;
        this.agreed = agreed;
    }

    /**
     * The same JVM, told first what production was told before {@code connection}'s first byte, and offered in its TLS
     * handshake what the client has agreed on in its own.
     */
    public DebugPeer prefaced(TapConnection connection) {
        return connection.preface().length == 0 && connection.agreed() == null
                ? this
                : new DebugPeer(this, connection.preface(), connection.agreed());
    }

    /** What each connection begins with, before any handshake; not to be changed. */
    byte[] preface() {
        return preface;
    }

    /** The TLS of a new connection; null for plain text. */
    @Nullable
    SslHandler secure(ByteBufAllocator allocator) {
        if (tls == null) {
            return null;
        }
        SslHandler handler = tls.handler(allocator, agreed);
        handler.setHandshakeTimeoutMillis(connectTimeoutMillis);
        return handler;
    }

    /** Whether it speaks, after its handshake, what the client does. */
    void check(SslHandler shaken) throws SSLException {
        if (!ClientTls.suits(shaken, agreed)) {
            throw new SSLException("the debug JVM doesn't speak " + agreed);
        }
    }

    /** Where it listens. */
    public SocketAddress address() {
        return address;
    }

    /** Whether the last attempt to connect failed. */
    public boolean unreachable() {
        return attempts.failing();
    }

    /** Why the last attempt to connect failed; empty if it didn't. */
    public String obstacle() {
        return attempts.obstacle();
    }

    /** How many TLS handshakes failed so far. */
    public long failedHandshakes() {
        return attempts.failedHandshakes();
    }

    /** Whether a lane that wants to connect now had reason to hope: it is reachable, or an attempt is due. */
    public boolean mayBeTried() {
        return attempts.mayBeTried();
    }

    int connectTimeoutMillis() {
        return connectTimeoutMillis;
    }

    long now() {
        return attempts.now();
    }

    /** Nanoseconds until the caller may ask again, or 0: the caller connects now and reports how it went. */
    long waitBeforeAttempt() {
        return attempts.waitBefore();
    }

    void reached() {
        attempts.succeeded();
    }

    void missed(Throwable cause) {
        boolean insecure = cause instanceof SSLException;
        Throwable root = cause;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        String said =
                Objects.requireNonNullElse(root.getMessage(), root.getClass().getSimpleName());
        String why = insecure ? "TLS: " + said : said;
        if (attempts.failed(why, insecure) && insecure) {
            LOG.warn("the debug JVM at {} can't be reached: {}", address, why);
        }
    }
}
