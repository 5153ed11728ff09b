package dev.understudy.sidecar.frame.redis;

import dev.understudy.divergence.compare.NotCompared;
import dev.understudy.divergence.wire.redis.RedisCommand;
import dev.understudy.divergence.wire.redis.RespCommands;
import dev.understudy.sidecar.frame.RawBytes;
import dev.understudy.sidecar.frame.RequestStream;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Cuts the client's bytes into commands.
 *
 * <p>A command goes on when it is whole or {@value #MOST_HELD} bytes of it are there, which is enough to know what it is
 * about; the rest goes on as it comes. Confined to its lane loop.
 *
 * @param <X> what stands for a request and what comes of it
 */
final class RedisRequestStream<X> implements RequestStream {
    /** Bytes that wait here for the rest of their command. */
    static final int MOST_HELD = 16 * 1024;

    private final RespCommands commands = new RespCommands();
    private final RedisTransaction transaction = new RedisTransaction();
    private final RawBytes bytes = new RawBytes();
    private final Cut<X> cut;
    private @Nullable X current;
    private boolean handed;
    private boolean unframed;

    /** Bytes of the command that is looked at, as far as they are still here. */
    private int looked;

    private long nanos;
    private long firstNanos;

    RedisRequestStream(Cut<X> cut) {
        this.cut = cut;
    }

    @Override
    public void data(ByteBuf data, long at) {
        nanos = at;
        if (unframed) {
            cut.raw(data, at);
            return;
        }
        if (bytes.readable() == 0) {
            firstNanos = at;
        }
        ByteBuffer fed = data.nioBuffer();
        bytes.add(data);
        while (!unframed && fed.hasRemaining()) {
            int before = fed.position();
            switch (commands.scan(fed)) {
                case VALUE -> {
                    looked += fed.position() - before;
                    whole();
                }
                case MORE -> {
                    looked += fed.position() - before;
                    part();
                }
                case MALFORMED -> giveUp(NotCompared.UNFRAMED, commands.malformation());
            }
        }
        bytes.compact();
    }

    @Override
    public void end(long at) {
        nanos = at;
        if (!unframed && (commands.within() || bytes.readable() > 0)) {
            giveUp(NotCompared.UNFRAMED, "ended within a command");
        }
    }

    @Override
    public void leave(String reason) {
        if (!unframed) {
            giveUp(NotCompared.UNFRAMED, reason);
        }
    }

    @Override
    public void release() {
        bytes.release();
        looked = 0;
    }

    private void whole() {
        if (!handed) {
            begin(!commands.isTruncated());
        }
        if (handed) {
            body();
            if (current != null) {
                cut.requestEnd(current, nanos);
                current = null;
            }
            handed = false;
            firstNanos = nanos;
        }
        commands.next();
    }

    private void part() {
        if (!handed && looked > MOST_HELD) {
            begin(false);
        }
        if (handed) {
            body();
        }
    }

    /** Empty commands, which no server answers, go on with the next one that isn't. */
    private void begin(boolean whole) {
        RedisCommand command = commands.command();
        if (command == null) {
            if (looked > MOST_HELD) {
                giveUp(NotCompared.UNFRAMED, "more than " + MOST_HELD + " bytes without a command");
            }
        } else if (command.unpairs()) {
            giveUp(NotCompared.SERVER_PUSH, command.name());
        } else {
            handed = true;
            int length = looked;
            looked = 0;
            current = cut.request(transaction.next(command, whole), bytes.take(length), firstNanos, nanos);
        }
    }

    private void body() {
        if (looked > 0) {
            ByteBuf part = bytes.take(looked);
            looked = 0;
            if (current != null) {
                cut.body(current, part, nanos);
            } else {
                cut.raw(part, nanos);
            }
        }
    }

    private void giveUp(NotCompared why, String reason) {
        unframed = true;
        X unfinished = current;
        current = null;
        cut.unframed(unfinished, why, reason, nanos);
        looked = 0;
        if (bytes.readable() > 0) {
            cut.raw(bytes.take(bytes.readable()), nanos);
        }
    }
}
