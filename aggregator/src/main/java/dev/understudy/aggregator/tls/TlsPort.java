package dev.understudy.aggregator.tls;

import dev.understudy.aggregator.limit.DebugBudget;
import dev.understudy.aggregator.limit.HeldMemory;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * TLS at one upstream's debug port. A protocol whose clients ask for TLS in its own words calls {@link #begin} once it
 * has said yes; for others {@link FirstByteHandler} does. Thread-safe.
 */
public final class TlsPort {
    private static final Logger log = LoggerFactory.getLogger(TlsPort.class);
    private static final long HANDSHAKE_MILLIS = 10_000;

    /** Memory of an engine: its buffers of a record each, what the handshake needs, and its keys. */
    private static final long ENGINE = 64 << 10;

    private final String upstream;
    private final List<String> protocols;
    private final SslContext context;
    private final Executor handshakes;
    private final LongAdder succeeded = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final AtomicBoolean said = new AtomicBoolean();

    TlsPort(String upstream, List<String> protocols, SslContext context, Executor handshakes) {
        this.upstream = upstream;
        this.protocols = List.copyOf(protocols);
        this.context = context;
        this.handshakes = handshakes;
    }

    /**
     * What the client sends from here on is TLS, and so is what it gets; the handlers that are there see plain text.
     * What was written before has to be flushed. On the connection's event loop.
     */
    public void begin(ChannelPipeline pipeline) {
        HeldMemory connection = HeldMemory.ofConnection(pipeline.channel());
        if (connection != null && !connection.of(pipeline.channel(), ENGINE).hold(0)) {
            DebugBudget.closeNow(pipeline.channel());
            return;
        }
        SslHandler handler = context.newHandler(pipeline.channel().alloc(), handshakes);
        handler.setHandshakeTimeoutMillis(HANDSHAKE_MILLIS);
        SSLParameters parameters = handler.engine().getSSLParameters();
        parameters.setApplicationProtocols(protocols.toArray(String[]::new));
        handler.engine().setSSLParameters(parameters);
        pipeline.addFirst(handler, new Watch());
    }

    /** Handshakes that succeeded. */
    public long succeeded() {
        return succeeded.sum();
    }

    /** Handshakes that failed. */
    public long failed() {
        return failed.sum();
    }

    /** Counts handshakes, and keeps what TLS fails with from those who expect the protocol. */
    private final class Watch extends ChannelInboundHandlerAdapter {
        @Override
        public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
            if (!(event instanceof SslHandshakeCompletionEvent shaken)) {
                ctx.fireUserEventTriggered(event);
            } else if (shaken.isSuccess()) {
                succeeded.increment();
            } else {
                failed.increment();
                if (!said.getAndSet(true)) {
                    log.warn(
                            "upstream {}: a TLS handshake at the debug port failed: {} (does the client trust the"
                                    + " aggregator's authority? `understudy ca` hands it out); said once",
                            upstream,
                            String.valueOf(shaken.cause().getMessage()));
                }
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            Throwable why = cause instanceof DecoderException ? cause.getCause() : cause;
            if (why instanceof SSLException || why instanceof RejectedExecutionException) {
                log.debug("upstream {}: debug connection {}: {}", upstream, ctx.channel(), cause.getMessage());
                ctx.close();
            } else {
                ctx.fireExceptionCaught(cause);
            }
        }
    }
}
