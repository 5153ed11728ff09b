package dev.understudy.divergence.wire.http;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.understudy.divergence.wire.Splits;

import static org.assertj.core.api.Assertions.assertThat;

/** Any bytes, as requests and as replies: the same events in any pieces, and each byte accounted for once. */
class HttpFuzzTest {
    @FuzzTest
    void requests(byte[] input) {
        Splits.alike(input, pieces -> {
            Events<RequestHead> events = new Events<>();
            HttpRequestFramer framer = new HttpRequestFramer(events, 1_000);
            pieces.forEach(framer::feed);
            assertThat(framer.heldBytes()).isLessThan(100_000);
            framer.end();
            return complete(events, input);
        });
    }

    @FuzzTest
    void replies(byte[] input) {
        Splits.alike(input, pieces -> {
            Events<ReplyHead> events = new Events<>();
            HttpReplyFramer framer = new HttpReplyFramer(events, 1_000);
            framer.expect("GET");
            framer.expect("HEAD");
            pieces.forEach(framer::feed);
            assertThat(framer.heldBytes()).isLessThan(100_000);
            framer.end();
            return complete(events, input);
        });
    }

    private static Object complete(Events<?> events, byte[] input) {
        assertThat(events.accounted).as("bytes accounted for").isEqualTo(input.length);
        assertThat(events.log()).noneMatch(event -> event.startsWith("framed again"));
        return events.log();
    }
}
