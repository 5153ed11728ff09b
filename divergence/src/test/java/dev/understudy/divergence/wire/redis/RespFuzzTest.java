package dev.understudy.divergence.wire.redis;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.understudy.divergence.wire.Splits;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/** Any bytes, as values and as commands: the same in any pieces, and nothing of them lost. */
class RespFuzzTest {
    private static final int MOST = 64 << 20;

    @FuzzTest
    void values(byte[] input) {
        Splits.alike(input, pieces -> framed(input, pieces, Long.MAX_VALUE));
    }

    @FuzzTest
    void valuesInPieces(byte[] input) {
        Splits.alike(input, pieces -> framed(input, pieces, 30));
    }

    private static List<String> framed(byte[] input, List<ByteBuffer> pieces, long whole) {
        Told told = new Told();
        RespFramer framer = new RespFramer(told, MOST, whole);
        int held = 0;
        for (ByteBuffer piece : pieces) {
            framer.feed(piece);
            held = Math.max(held, framer.heldBytes());
        }
        assertThat(held).isLessThanOrEqualTo(input.length);
        framer.end();
        assertThat(told.wire.toByteArray()).as("what came in comes out").isEqualTo(input);
        return told.events;
    }

    /** What only cuts finds the same ends as what reads. */
    @FuzzTest
    void scannedReplies(byte[] input) {
        Splits.alike(input, pieces -> {
            List<Integer> ends = new ArrayList<>();
            RespScanner scanner = new RespScanner();
            int before = 0;
            for (ByteBuffer piece : pieces) {
                while (piece.hasRemaining() && scanner.malformation().isEmpty()) {
                    if (scanner.scan(piece) == RespScanner.Found.VALUE) {
                        ends.add(before + piece.position());
                    }
                }
                before += piece.limit();
            }
            return scanner.malformation() + ends;
        });
    }

    @FuzzTest
    void commands(byte[] input) {
        Splits.alike(input, pieces -> {
            List<String> commands = new ArrayList<>();
            RespCommands reader = new RespCommands();
            for (ByteBuffer piece : pieces) {
                while (piece.hasRemaining() && reader.malformation().isEmpty()) {
                    if (reader.scan(piece) == RespScanner.Found.VALUE) {
                        commands.add(reader.isTruncated() + described(reader.command()));
                        reader.next();
                    }
                }
            }
            return commands + reader.malformation();
        });
    }

    private static String described(@Nullable RedisCommand command) {
        if (command == null) {
            return "none";
        }
        assertThat(RedisKeys.of(command)).allMatch(command.arguments()::contains);
        return command.name()
                + command.arguments().stream().map(Arrays::toString).toList();
    }

    /** Keeps what it is told as text, and the bytes of it. */
    private static final class Told implements RespSink {
        final List<String> events = new ArrayList<>();
        final ByteArrayOutputStream wire = new ByteArrayOutputStream();

        @Override
        public void value(RespValue value, Sent sent) {
            assertThat(sent.bytes()).hasSize(sent.length());
            wire.writeBytes(sent.bytes());
            events.add(value.getClass().getSimpleName() + Arrays.hashCode(value.encode()));
            events.add(described(RedisCommand.of(value)));
        }

        @Override
        public boolean largeBegins(char type, List<RespValue> begun, long atLeast) {
            events.add("large " + type + begun.size() + " " + atLeast);
            return true;
        }

        @Override
        public void piece(ByteBuffer bytes) {
            while (bytes.hasRemaining()) {
                wire.write(bytes.get());
            }
        }

        @Override
        public void largeEnds() {
            events.add("large ends");
        }

        @Override
        public void unframed(String reason, byte[] remaining) {
            wire.writeBytes(remaining);
            String event = "unframed " + reason;
            if (events.isEmpty() || !events.get(events.size() - 1).equals(event)) {
                events.add(event);
            }
        }
    }
}
