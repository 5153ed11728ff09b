package dev.understudy.sidecar.frame.redis;

import dev.understudy.divergence.compare.redis.RespReply;
import dev.understudy.divergence.compare.redis.RespReplyCapture;
import dev.understudy.divergence.content.TextSpan;
import dev.understudy.sidecar.frame.ReplyCopy;
import dev.understudy.sidecar.frame.ReplyMemory;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Keeps the bytes of one side's reply. Confined to its lane loop. */
final class RedisReplyCopy extends ReplyCopy {
    private static final byte[] QUEUED = {'+', 'Q', 'U', 'E', 'U', 'E', 'D'};

    private static final int MOST_SAID = 80;

    private final int most;
    private final StringBuilder said = new StringBuilder();
    private boolean saidAll;
    private int likeQueued;
    private boolean refusal;
    private @Nullable RespReplyCapture capture;

    /** @param most bytes that are kept */
    RedisReplyCopy(ReplyMemory memory, int most) {
        super(memory);
        this.most = most;
    }

    void add(ByteBuffer bytes, long nanos) {
        if (!begun()) {
            begin(nanos);
        }
        lookAt(bytes);
        listen(bytes);
        if (capture == null && keeps()) {
            capture = new RespReplyCapture(most);
        }
        if (capture != null) {
            capture.add(bytes);
            charge();
        }
    }

    /** Whether it is the word for a command that a transaction will run. */
    private void lookAt(ByteBuffer bytes) {
        int at = bytes.position();
        while (likeQueued >= 0 && likeQueued < QUEUED.length && at < bytes.limit()) {
            likeQueued = bytes.get(at++) == QUEUED[likeQueued] ? likeQueued + 1 : -1;
        }
    }

    private void listen(ByteBuffer bytes) {
        for (int at = bytes.position(); !saidAll && at < bytes.limit(); at++) {
            byte b = bytes.get(at);
            saidAll = b == '\r' || said.length() == MOST_SAID;
            if (!saidAll) {
                said.append((char) (b & 0xFF));
            }
        }
    }

    /** Its first line: a number, a word, an error, or how long a value is. */
    @Override
    public String said() {
        return said.toString();
    }

    /** @param type the reply's first byte */
    void end(char type, long nanos) {
        complete(nanos);
        refusal = refuses(type);
        if (capture != null) {
            capture.end();
        }
    }

    /** Whether a reply of that type says that the command wasn't run. */
    static boolean refuses(char type) {
        return type == '-' || type == '!';
    }

    /** Whether the command was answered with an error; known even if nothing is kept. */
    boolean isRefusal() {
        return refusal;
    }

    /** Whether the command is to be run with the transaction that it is part of; known even if nothing is kept. */
    boolean isQueued() {
        return likeQueued == QUEUED.length;
    }

    /** The reply, or null if there was no room to keep it. */
    @Nullable
    RespReply finish(TextSpan times) {
        return capture == null ? null : capture.finish(times.from(), times.to());
    }

    @Override
    protected @Nullable RespReplyCapture kept() {
        return capture;
    }

    @Override
    protected void forget() {
        capture = null;
    }
}
