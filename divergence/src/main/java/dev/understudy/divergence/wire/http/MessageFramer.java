package dev.understudy.divergence.wire.http;

import java.nio.ByteBuffer;

/**
 * The state machine that requests and replies share: start line, headers, body, again.
 *
 * <p>Invariant: {@code outstanding} counts the bytes taken and not yet accounted for to the sink. Outside a
 * head it is 0 after every feed.
 *
 * @param <H> the kind of head
 */
final class MessageFramer<H> {
    /** What is particular to requests or replies. */
    interface Rules<H> {
        /** Refuses early what can't be the first byte of a start line. */
        void firstByte(byte first) throws Unframable;

        /** Takes the start line; an empty one may be skipped by returning false. */
        boolean startLine(String line) throws Unframable;

        /** The head of the start line taken last. */
        H head(HeaderSection section);

        BodyFraming framing(H head) throws Unframable;

        void interim(H head, int rawLength);
    }

    private enum State {
        START,
        HEADERS,
        COUNTED,
        CHUNK_SIZE,
        CHUNK,
        CHUNK_END,
        TRAILERS,
        UNTIL_CLOSE,
        UNFRAMED
    }

    private static final ByteBuffer EMPTY = ByteBuffer.allocate(0);

    private final HttpSink<H> sink;
    private final Rules<H> rules;
    private final HeaderSection section;
    private final int maxHead;
    private final LineBuffer line = new LineBuffer();
    private State state = State.START;
    private int outstanding;
    private int lineLength;
    private int sectionLength; // of the lines completed in this head or these trailers
    private long left;
    private String reason = "";

    MessageFramer(HttpSink<H> sink, Rules<H> rules, HeaderSection section, int maxHead) {
        if (maxHead <= 0) {
            throw new IllegalArgumentException("maxHead: " + maxHead + " (expected: > 0)");
        }
        this.sink = sink;
        this.rules = rules;
        this.section = section;
        this.maxHead = maxHead;
    }

    void feed(ByteBuffer in) {
        try {
            while (in.hasRemaining() && state != State.UNFRAMED) {
                step(in);
            }
        } catch (Unframable e) {
            state = State.UNFRAMED;
            reason = e.reason();
        }
        if (state == State.UNFRAMED) {
            int rest = outstanding + in.remaining();
            in.position(in.limit());
            outstanding = 0;
            if (rest > 0) {
                sink.unframed(reason, rest);
            }
        } else if (outstanding > 0 && state != State.START && state != State.HEADERS) {
            account();
        }
    }

    /** Memory that the head takes, or the trailers, that aren't complete. */
    long heldBytes() {
        return line.heldBytes() + section.heldBytes();
    }

    private void step(ByteBuffer in) throws Unframable {
        switch (state) {
            case START -> {
                if (line.isEmpty()) {
                    rules.firstByte(in.get(in.position()));
                }
                if (readLine(in, maxHead - sectionLength) && rules.startLine(line.take())) {
                    state = State.HEADERS;
                }
            }
            case HEADERS -> {
                if (readLine(in, maxHead - sectionLength) && section.add(line.take())) {
                    headComplete();
                }
            }
            case COUNTED, CHUNK, UNTIL_CLOSE -> content(in);
            case CHUNK_SIZE -> {
                if (readLine(in, ChunkSize.MAX_LINE)) {
                    left = ChunkSize.parse(line.take());
                    state = left == 0 ? State.TRAILERS : State.CHUNK;
                    sectionLength = 0;
                }
            }
            case CHUNK_END -> {
                if (readLine(in, 0)) {
                    line.take();
                    state = State.CHUNK_SIZE;
                }
            }
            case TRAILERS -> {
                if (readLine(in, maxHead - sectionLength) && section.add(line.take())) {
                    trailersComplete();
                }
            }
            case UNFRAMED -> throw new Unframable(reason);
        }
    }

    private boolean readLine(ByteBuffer in, int limit) throws Unframable {
        int before = in.position();
        boolean complete = line.read(in, limit);
        int taken = in.position() - before;
        outstanding += taken;
        lineLength += taken;
        if (complete) {
            sectionLength += lineLength;
            lineLength = 0;
        }
        return complete;
    }

    private void headComplete() throws Unframable {
        H head = rules.head(section);
        BodyFraming framing = rules.framing(head);
        int rawLength = outstanding;
        outstanding = 0;
        sectionLength = 0;
        left = framing.length();
        if (framing.kind() == BodyFraming.Kind.INTERIM) {
            state = State.START;
            rules.interim(head, rawLength);
            return;
        }
        state = switch (framing.kind()) {
            case CHUNKED -> State.CHUNK_SIZE;
            case UNTIL_CLOSE -> State.UNTIL_CLOSE;
            case COUNTED, INTERIM -> left == 0 ? State.START : State.COUNTED;
        };
        sink.head(head, rawLength);
        if (state == State.START) {
            sink.end();
        }
        if (framing.leaves() != null) {
            leave(framing.leaves());
        }
    }

    private void content(ByteBuffer in) {
        int count = state == State.UNTIL_CLOSE ? in.remaining() : (int) Math.min(left, in.remaining());
        ByteBuffer piece = in.slice(in.position(), count);
        in.position(in.position() + count);
        left -= count;
        State before = state;
        if (left == 0 && state == State.COUNTED) {
            state = State.START;
        } else if (left == 0 && state == State.CHUNK) {
            state = State.CHUNK_END;
        }
        int rawLength = outstanding + count;
        outstanding = 0;
        sink.body(piece, rawLength);
        if (before == State.COUNTED && state == State.START) {
            sink.end();
        }
    }

    private void trailersComplete() {
        state = State.START;
        sectionLength = 0;
        account();
        var trailers = section.take();
        if (!trailers.isEmpty()) {
            sink.trailers(trailers);
        }
        sink.end();
    }

    private void account() {
        int rawLength = outstanding;
        outstanding = 0;
        if (rawLength > 0) {
            sink.body(EMPTY.duplicate(), rawLength);
        }
    }

    /** From here everything is unframed. */
    void leave(String why) {
        if (state != State.UNFRAMED) {
            state = State.UNFRAMED;
            reason = why;
            int rawLength = outstanding;
            outstanding = 0;
            sink.unframed(why, rawLength);
        }
    }

    void end() {
        switch (state) {
            case START -> {
                if (outstanding > 0) {
                    leave(line.isEmpty() ? "line ends after the last message" : "ended within a head");
                }
            }
            case HEADERS -> leave("ended within a head");
            case COUNTED, CHUNK_SIZE, CHUNK, CHUNK_END, TRAILERS -> leave("ended within a body");
            case UNTIL_CLOSE -> {
                state = State.UNFRAMED;
                reason = "bytes after the end";
                sink.end();
            }
            case UNFRAMED -> {}
        }
    }
}
