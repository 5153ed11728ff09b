package dev.understudy.divergence.compare.redis;

import dev.understudy.divergence.compare.ReplyCapture;
import dev.understudy.divergence.compare.body.BodyCapture;
import java.nio.ByteBuffer;
import java.time.Instant;

/** Collects the bytes of one reply of a Redis server in bounded memory. Confined to one thread. */
public final class RespReplyCapture implements ReplyCapture {
    private static final int OVERHEAD = 128;

    private final BodyCapture bytes;
    private boolean ended;

    /** @param most how many bytes are kept; of a longer reply length and hash decide */
    public RespReplyCapture(int most) {
        bytes = new BodyCapture(most);
    }

    /** The next bytes of the reply. */
    public void add(ByteBuffer part) {
        bytes.add(part);
    }

    /** The reply is whole. */
    public void end() {
        ended = true;
    }

    @Override
    public long heldBytes() {
        return (long) OVERHEAD + bytes.heldBytes();
    }

    @Override
    public void forgetContent() {
        bytes.forget();
    }

    /**
     * What was captured; to be called once.
     *
     * @param begun when the command arrived at this side
     * @param end when this side's reply was complete, or now
     */
    public RespReply finish(Instant begun, Instant end) {
        return new RespReply(bytes.bytes(), bytes.length(), bytes.hash(), ended, begun, end);
    }
}
