package dev.understudy.divergence.wire.postgres;

import java.nio.ByteBuffer;

/**
 * Cuts what a server sends into messages. Confined to one thread; throws nothing.
 *
 * <p>The one thing it can't see for itself is that the client asked for encryption, which makes the next byte an answer
 * of its own: {@link #expectEncryptionAnswer} says so.
 */
public final class BackendFramer {
    private static final String TYPES = "123ACDEGHIKNRSTVWZcdnstv";

    private final PgSink sink;
    private final MessageCutter cutter;
    private int answersExpected;
    private boolean unframed;
    private String reason = "";

    /** Makes a framer that keeps bodies of at most {@code limit} bytes; the longer ones are the sink's to take. */
    public BackendFramer(PgSink sink, int limit) {
        this.sink = sink;
        this.cutter = new MessageCutter(limit, sink::large);
        cutter.next(true);
    }

    /** The client has asked for encryption; the server's next message may be the single byte that answers it. */
    public void expectEncryptionAnswer() {
        answersExpected++;
    }

    /** Memory that this takes, most of it for the message that isn't complete. */
    public long heldBytes() {
        return cutter.heldBytes();
    }

    /** Takes all remaining bytes. */
    public void feed(ByteBuffer bytes) {
        while (bytes.hasRemaining()) {
            if (unframed) {
                int rest = bytes.remaining();
                bytes.position(bytes.limit());
                sink.unframed(reason, rest);
            } else if (!encryptionAnswer(bytes)) {
                message(bytes);
            }
        }
    }

    /** Nothing follows; a message that was cut off is reported as unframed. */
    public void end() {
        if (!unframed && !cutter.between()) {
            fail("ended inside a message");
        }
    }

    private boolean encryptionAnswer(ByteBuffer bytes) {
        if (answersExpected == 0 || !cutter.between()) {
            return false;
        }
        answersExpected--;
        char answer = (char) (bytes.get(bytes.position()) & 0xff);
        if (answer != 'S' && answer != 'N' && answer != 'G') {
            return false;
        }
        bytes.get();
        if (answer != 'N') {
            unframed = true;
            reason = answer == 'S' ? "TLS" : "GSSAPI encryption";
        }
        sink.encryptionAnswer(answer, 1);
        return true;
    }

    private void message(ByteBuffer bytes) {
        if (cutter.between() && TYPES.indexOf(bytes.get(bytes.position()) & 0xff) < 0) {
            fail("not a server's message");
            return;
        }
        switch (cutter.feed(bytes)) {
            case MORE -> {}
            case BROKEN -> fail("impossible message length");
            case OVERSIZED, TAKEN -> passed();
            case COMPLETE -> {
                PgMessage message = new PgMessage(cutter.type(), cutter.body());
                cutter.next(true);
                sink.message(message, message.wireLength());
            }
        }
    }

    /** A message has gone by that was too long to be held. */
    private void passed() {
        MessageTaker taker = cutter.taker();
        char type = cutter.type();
        int raw = cutter.rawLength();
        cutter.next(true);
        if (taker != null) {
            taker.end(raw);
        } else {
            sink.oversized(type, raw);
        }
    }

    private void fail(String why) {
        unframed = true;
        reason = why;
        sink.unframed(why, cutter.rawLength());
    }
}
