package dev.understudy.relay.http2;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.understudy.relay.Splits;
import io.netty.handler.codec.http2.Http2Headers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/** Any bytes as one direction of HTTP/2: the same in any pieces, little held, and taken to the end or given up. */
class Http2FuzzTest {
    @FuzzTest
    void frames(byte[] input) throws Exception {
        Splits.alike(input, pieces -> {
            Heard heard = new Heard();
            for (byte[] piece : pieces) {
                heard.reader.feed(ByteBuffer.wrap(piece));
                assertThat(heard.reader.heldBytes()).isLessThanOrEqualTo(2L * input.length + 100);
            }
            if (heard.malformed.isEmpty()) {
                assertThat(heard.reader.consumed()).isEqualTo(input.length);
            }
            return heard.events + " " + heard.content + " " + heard.malformed;
        });
    }

    /** Takes each size of a table to be its own. */
    private static final class Heard implements Http2Reader.Sink {
        final List<String> events = new ArrayList<>();
        final Map<Integer, StringBuilder> content = new LinkedHashMap<>();
        final List<String> malformed = new ArrayList<>();
        final Http2Reader reader = new Http2Reader(this);

        private void tell(String event) {
            assertThat(malformed).as("nothing follows").isEmpty();
            events.add(event);
        }

        @Override
        public void headers(int stream, @Nullable Http2Headers headers, boolean last) {
            tell(stream + " " + headers + " " + last);
        }

        @Override
        public void data(int stream, ByteBuffer piece, boolean last) {
            content.computeIfAbsent(stream, first -> new StringBuilder())
                    .append(StandardCharsets.ISO_8859_1.decode(piece));
            if (last) {
                tell(stream + " last");
            }
        }

        @Override
        public void reset(int stream, long code) {
            tell(stream + " reset " + code);
        }

        @Override
        public void promised() {
            tell("promised");
        }

        @Override
        public void tableSize(long bytes) {
            tell("table " + bytes);
            reader.allow(bytes);
        }

        @Override
        public void other() {
            tell("other");
        }

        @Override
        public void malformed(String why) {
            assertThat(malformed).as("told once").isEmpty();
            malformed.add(why);
        }
    }
}
