package dev.understudy.relay.control;

import dev.understudy.relay.control.ControlCounts.Reason;
import java.io.IOException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Streams of one value that several callers follow. */
class SharedStreamsTest extends ControlStage {
    @Test
    void callers_haveABound_andLeaveRoom() throws Exception {
        open();
        RawCaller first = connect().head("GET", "/v1/shared", TOKEN);
        assertThat(first.reply()).startsWith("HTTP/1.1 200");
        assertThat(connect().head("GET", "/v1/shared", TOKEN).reply()).startsWith("HTTP/1.1 200");

        assertThat(connect().head("GET", "/v1/shared", TOKEN).reply())
                .startsWith("HTTP/1.1 503")
                .contains("expected: at most 2");
        first.close();
        await(() -> {
            try (RawCaller next = RawCaller.connect(server)) {
                return next.head("GET", "/v1/shared", TOKEN).reply().startsWith("HTTP/1.1 200");
            } catch (IOException ended) {
                return false;
            }
        });
    }

    @Test
    void value_isReadOnce_forAllWhoFollow() throws Exception {
        open();
        RawCaller one = connect().head("GET", "/v1/shared", TOKEN);
        RawCaller other = connect().head("GET", "/v1/shared", TOKEN);
        one.reply();
        other.reply();
        for (int n = 0; n < 30; n++) {
            one.line();
            other.line();
        }

        assertThat(shared.get()).as("readings for events of two callers").isLessThanOrEqualTo(12);
    }

    @Test
    void caller_whoReadsNothing_isClosedInTime_andHoldsLittleTillThen() throws Exception {
        replyStall = SHORT;
        open();
        sharedSize = 50_000;
        RawCaller stuck = connect().head("GET", "/v1/shared", TOKEN);

        await(() -> server.counts().count(Reason.REPLY) == 1);
        await(() -> server.counts().connections() == 0);
        assertThat(stuck.isEnded()).isTrue();
        assertThat(shared.get()).as("what was made for it").isLessThan(200);
    }
}
