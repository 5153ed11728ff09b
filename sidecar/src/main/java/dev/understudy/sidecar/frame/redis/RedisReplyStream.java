package dev.understudy.sidecar.frame.redis;

import dev.understudy.divergence.wire.redis.RespScanner;
import dev.understudy.sidecar.frame.ReplyStream;
import dev.understudy.sidecar.frame.Request;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Function;

/**
 * Cuts one side's bytes into replies; what RESP3 pushes in between answers nobody. Confined to its lane loop.
 *
 * @param <X> what stands for a command and what comes of it
 */
final class RedisReplyStream<X> implements ReplyStream<X> {
    private static final byte PUSH = '>';

    private final RespScanner scanner = new RespScanner();
    private final Deque<X> expected = new ArrayDeque<>();
    private final Function<X, RedisReplyCopy> side;
    private final End<X> end;
    private boolean pushed;
    private boolean unframed;

    RedisReplyStream(Function<X, RedisReplyCopy> side, End<X> end) {
        this.side = side;
        this.end = end;
    }

    @Override
    public void expect(X exchange, Request request) {
        expected.add(exchange);
    }

    @Override
    public void data(ByteBuf data, long at) {
        try {
            X next = expected.peek();
            if (next != null) {
                end.heard(next, at);
            }
            ByteBuffer fed = data.nioBuffer();
            while (!unframed && fed.hasRemaining()) {
                value(fed, at);
            }
        } finally {
            data.release();
        }
    }

    /** Takes bytes up to the end of a value. */
    private void value(ByteBuffer fed, long at) {
        int from = fed.position();
        if (!scanner.within()) {
            pushed = fed.get(from) == PUSH;
        }
        RespScanner.Found found = scanner.scan(fed);
        X next = expected.peek();
        if (found == RespScanner.Found.MALFORMED) {
            giveUp(scanner.malformation());
        } else if (!pushed && next == null) {
            giveUp("a reply to no command");
        } else if (!pushed && next != null) {
            boolean whole = found == RespScanner.Found.VALUE;
            if (whole && scanner.type() == PUSH) {
                giveUp("a push with attributes");
                return;
            }
            RedisReplyCopy copy = side.apply(next);
            copy.add(fed.duplicate().position(from).limit(fed.position()), at);
            if (whole) {
                expected.remove();
                copy.end(scanner.type(), at);
                end.ended(next);
            }
        }
    }

    private void giveUp(String reason) {
        unframed = true;
        end.unframed(reason);
    }

    @Override
    public void end(long at) {
        // a reply has its length in itself
    }

    @Override
    public Iterable<X> expected() {
        return expected;
    }

    @Override
    public boolean isUnframed() {
        return unframed;
    }
}
