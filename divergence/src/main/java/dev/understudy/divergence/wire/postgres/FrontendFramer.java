package dev.understudy.divergence.wire.postgres;

import java.nio.ByteBuffer;

/**
 * Cuts what a client sends into start-up packets and then messages. Confined to one thread; throws nothing.
 *
 * <p>It cannot see the server's answer to an encryption request; {@link #encrypted} tells it that the rest is not for
 * our eyes.
 */
public final class FrontendFramer {
    private static final String TYPES = "BCDEFHPQSXcdfp";
    /** PostgreSQL's MAX_STARTUP_PACKET_LENGTH. */
    private static final int LONGEST_STARTUP = 10_000;
    /** First byte of a TLS record that carries a handshake: a client that encrypts without asking. */
    private static final int TLS_HANDSHAKE = 0x16;

    private final PgSink sink;
    private final MessageCutter startup = new MessageCutter(LONGEST_STARTUP, (type, length) -> null);
    private final MessageCutter messages;
    private boolean started;
    private boolean unframed;
    private String reason = "";

    /**
     * Makes a framer that keeps bodies of at most {@code limit} bytes. Of the longer ones a Bind comes all the same,
     * with the long ones of its values replaced by their hashes, and so do Query and Parse.
     */
    public FrontendFramer(PgSink sink, int limit) {
        this.sink = sink;
        this.messages = new MessageCutter(limit, sink::large);
        startup.next(false);
        messages.next(true);
    }

    /** The server agreed to encrypt: everything from here on is unframed, for this reason. */
    public void encrypted(String why) {
        if (!unframed) {
            unframed = true;
            reason = why;
        }
    }

    /** Takes all remaining bytes. */
    public void feed(ByteBuffer bytes) {
        while (bytes.hasRemaining()) {
            if (unframed) {
                int rest = bytes.remaining();
                bytes.position(bytes.limit());
                sink.unframed(reason, rest);
            } else if (started) {
                message(bytes);
            } else {
                startup(bytes);
            }
        }
    }

    /** Memory that this takes, most of it for the message that isn't complete. */
    public long heldBytes() {
        return startup.heldBytes() + messages.heldBytes();
    }

    /** Nothing follows; a message that was cut off is reported as unframed. */
    public void end() {
        MessageCutter cutter = started ? messages : startup;
        if (!unframed && !cutter.between()) {
            fail("ended inside a message", cutter.rawLength());
        }
    }

    private void startup(ByteBuffer bytes) {
        if (startup.between() && bytes.get(bytes.position()) == TLS_HANDSHAKE) {
            fail("TLS", 0);
            return;
        }
        MessageCutter.Progress progress = startup.feed(bytes);
        switch (startup.tooLong() ? MessageCutter.Progress.BROKEN : progress) {
            case MORE -> {}
            case BROKEN, OVERSIZED, TAKEN -> fail("not a start-up packet", startup.rawLength());
            case COMPLETE -> {
                int raw = startup.rawLength();
                StartupPacket packet = StartupPacket.decode(startup.body());
                if (packet == null) {
                    fail("not a start-up packet of protocol 3", raw);
                    return;
                }
                startup.next(false);
                started = packet.kind() == StartupPacket.Kind.STARTUP;
                sink.startup(packet, raw);
            }
        }
    }

    private void message(ByteBuffer bytes) {
        if (messages.between() && TYPES.indexOf(bytes.get(bytes.position()) & 0xff) < 0) {
            fail("not a client's message", 0);
            return;
        }
        switch (messages.feed(bytes)) {
            case MORE -> {}
            case BROKEN -> fail("impossible message length", messages.rawLength());
            case OVERSIZED, TAKEN -> passed();
            case COMPLETE -> {
                PgMessage message = new PgMessage(messages.type(), messages.body());
                int raw = messages.rawLength();
                messages.next(true);
                sink.message(message, raw);
            }
        }
    }

    /** A message has gone by that was too long to be held. */
    private void passed() {
        MessageTaker taker = messages.taker();
        Frontend statement = messages.statement();
        char type = messages.type();
        int raw = messages.rawLength();
        messages.next(true);
        if (statement != null) {
            sink.shortened(statement, type, raw);
        } else if (taker != null) {
            taker.end(raw);
        } else {
            sink.oversized(type, raw);
        }
    }

    private void fail(String why, int raw) {
        unframed = true;
        reason = why;
        sink.unframed(why, raw);
    }
}
