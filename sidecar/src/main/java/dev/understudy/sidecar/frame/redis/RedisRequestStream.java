package dev.understudy.sidecar.frame.redis;

import dev.understudy.divergence.compare.NotCompared;
import dev.understudy.divergence.wire.redis.RedisCommand;
import dev.understudy.divergence.wire.redis.RespCommands;
import dev.understudy.sidecar.frame.ClientBytes;
import dev.understudy.sidecar.frame.RequestStream;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;

/**
 * Cuts the client's bytes into commands.
 *
 * <p>A command goes on when it is whole or {@value #MOST_HELD} bytes of it are there, which is enough to know what it
 * is about; the rest goes on as it comes. Confined to its lane loop.
 *
 * @param <X> what stands for a request and what comes of it
 */
final class RedisRequestStream<X> implements RequestStream {
    /** Bytes that wait here for the rest of their command. */
    static final int MOST_HELD = 16 * 1024;

    private final RespCommands commands = new RespCommands();
    private final RedisTransaction transaction = new RedisTransaction();
    private final Cut<X> cut;
    private final ClientBytes<X> bytes;

    /** Bytes of the command that is looked at, as far as they are still here. */
    private int looked;

    RedisRequestStream(Cut<X> cut) {
        this.cut = cut;
        this.bytes = new ClientBytes<>(cut);
    }

    @Override
    public void data(ByteBuf data, long at) {
        if (bytes.isUnframed()) {
            cut.raw(data, at);
            return;
        }
        ByteBuffer fed = bytes.add(data, at);
        while (!bytes.isUnframed() && fed.hasRemaining()) {
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
        bytes.end(at);
        if (!bytes.isUnframed() && (commands.within() || bytes.readable() > 0)) {
            giveUp(NotCompared.UNFRAMED, "ended within a command");
        }
    }

    @Override
    public void leave(String reason) {
        if (!bytes.isUnframed()) {
            giveUp(NotCompared.UNFRAMED, reason);
        }
    }

    @Override
    public void release() {
        bytes.release();
        looked = 0;
    }

    private void whole() {
        if (!bytes.isOpen()) {
            begin(!commands.isTruncated());
        }
        if (bytes.isOpen()) {
            body();
            bytes.endRequest();
        }
        commands.next();
    }

    private void part() {
        if (!bytes.isOpen() && looked > MOST_HELD) {
            begin(false);
        }
        if (bytes.isOpen()) {
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
            int length = looked;
            looked = 0;
            bytes.beginRequest(transaction.next(command, whole), length);
        }
    }

    private void body() {
        int length = looked;
        looked = 0;
        bytes.goOn(length);
    }

    private void giveUp(NotCompared why, String reason) {
        bytes.unframed(why, reason);
        looked = 0;
        bytes.goOn(bytes.readable());
    }
}
