package dev.understudy.sidecar.frame.redis;

import dev.understudy.divergence.wire.redis.RespScanner;
import dev.understudy.sidecar.frame.OrderedReplies;
import java.nio.ByteBuffer;
import java.util.function.Function;

/**
 * Cuts one side's bytes into replies; what RESP3 pushes in between answers nobody. Confined to its lane loop.
 *
 * @param <X> what stands for a command and what comes of it
 */
final class RedisReplyStream<X> extends OrderedReplies<X> {
    private static final byte PUSH = '>';

    private final RespScanner scanner = new RespScanner();
    private final Function<X, RedisReplyCopy> side;
    private boolean pushed;

    RedisReplyStream(Function<X, RedisReplyCopy> side, End<X> end) {
        super(end);
        this.side = side;
    }

    @Override
    protected void feed(ByteBuffer fed) {
        while (!isUnframed() && fed.hasRemaining()) {
            value(fed);
        }
    }

    /** Takes bytes up to the end of a value. */
    private void value(ByteBuffer fed) {
        int from = fed.position();
        if (!scanner.within()) {
            pushed = fed.get(from) == PUSH;
        }
        RespScanner.Found found = scanner.scan(fed);
        X next = next();
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
            copy.add(fed.duplicate().position(from).limit(fed.position()), nanos());
            if (whole) {
                copy.end(scanner.type(), nanos());
                ended();
            }
        }
    }
}
