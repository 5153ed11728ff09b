package dev.understudy.divergence.wire.postgres;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.understudy.divergence.wire.Splits;
import java.nio.ByteBuffer;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/** Any bytes of clients and servers: the same messages in any pieces, each byte accounted for, fields or malformed. */
class PgFuzzTest {
    private static final int MOST = 64 << 20;

    @FuzzTest
    void frontend(byte[] input) {
        Splits.alike(input, pieces -> client(input, pieces, MOST));
    }

    @FuzzTest
    void shortenedFrontend(byte[] input) {
        Splits.alike(input, pieces -> client(input, pieces, 12));
    }

    private static List<String> client(byte[] input, List<ByteBuffer> pieces, int limit) {
        Cut cut = new Read();
        FrontendFramer framer = new FrontendFramer(cut, limit);
        long held = 0;
        for (ByteBuffer piece : pieces) {
            framer.feed(piece);
            held = Math.max(held, framer.heldBytes());
        }
        assertThat(held).isLessThan(1_000_000);
        framer.end();
        assertThat(cut.raw).as("bytes accounted for").isEqualTo(input.length);
        return cut.seen;
    }

    @FuzzTest
    void backend(byte[] input) {
        Splits.alike(input, pieces -> server(input, pieces, MOST));
    }

    @FuzzTest
    void shortenedBackend(byte[] input) {
        Splits.alike(input, pieces -> server(input, pieces, 12));
    }

    private static List<String> server(byte[] input, List<ByteBuffer> pieces, int limit) {
        Cut cut = new Read();
        cut.taken = "D";
        BackendFramer framer = new BackendFramer(cut, limit);
        framer.expectEncryptionAnswer();
        long held = 0;
        for (ByteBuffer piece : pieces) {
            framer.feed(piece);
            held = Math.max(held, framer.heldBytes());
        }
        assertThat(held).isLessThan(1_000_000);
        framer.end();
        assertThat(cut.raw).as("bytes accounted for").isEqualTo(input.length);
        return cut.seen;
    }

    /** Reads the fields of each message, too. */
    private static final class Read extends Cut {
        @Override
        public void message(PgMessage message, int rawLength) {
            super.message(message, rawLength);
            seen.add(PgErrors.stateClass(message) + PgErrors.isFatal(message));
            try {
                seen.add(Frontend.decode(message).getClass().getSimpleName());
            } catch (MalformedMessageException expected) {
                seen.add(expected.getMessage());
            }
            try {
                List<Column> columns = Column.decode(message);
                assertThat(Column.decode(Column.encode(columns, Formats.announced(message))))
                        .isEqualTo(columns);
            } catch (MalformedMessageException expected) {
                seen.add(expected.getMessage());
            }
        }
    }
}
