package dev.understudy.relay.control;

import dev.understudy.relay.control.ControlCounts.Reason;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What connections and event streams of a control port's callers can't take from the process. */
final class ControlConnectionsTest extends ControlStage {
    @Test
    void silentConnections_keepNobodyOut() throws Exception {
        connections = 8;
        open();
        List<RawCaller> silent = new ArrayList<>();
        for (int n = 0; n < 40; n++) {
            silent.add(connect());
            if (n % 2 == 0) {
                silent.get(n).send("GET /v1/echo HTT"); // half a head is no request
            }
        }
        RawCaller operator = connect();
        for (int n = 0; n < 3; n++) {
            assertThat(operator.head("GET", "/v1/echo?n=" + n, TOKEN).reply()).endsWith("\r\n\r\n" + n);
            connect();
        }

        await(() -> server.counts().count(Reason.EVICTED) == 40 + 1 + 3 - 8
                && server.counts().connections() == 8);
        assertThat(silent.get(0).isEnded()).isTrue();
        assertThat(server.counts().count(Reason.CONNECTIONS)).isZero();
    }

    @Test
    void connections_thatAreAllAtWork_areKept_andTheNextIsClosedAtOnce() throws Exception {
        connections = 8;
        open();
        List<RawCaller> busy = new ArrayList<>();
        for (int n = 0; n < 8; n++) {
            busy.add(connect());
            busy.get(n).head("POST", "/v1/body", "Content-Length: 2", TOKEN, "Expect: 100-continue");
            assertThat(busy.get(n).reply()).startsWith("HTTP/1.1 100");
        }
        assertThat(connect().isEnded()).isTrue();
        assertThat(server.counts().count(Reason.CONNECTIONS)).isEqualTo(1);

        for (RawCaller caller : busy) {
            assertThat(caller.send("ok").reply()).endsWith("\r\n\r\n2");
        }
        assertThat(connect().head("GET", "/v1/echo?n=1", TOKEN).reply()).endsWith("\r\n\r\n1");
    }

    @Test
    void callerWithItsShareAtWork_isRefused_andOthersAreServed() throws Exception {
        connections = 8;
        ofCaller = 4;
        ofNobody = 1;
        open();
        List<RawCaller> slow = new ArrayList<>();
        for (int n = 0; n < 4; n++) {
            slow.add(connect().head("POST", "/v1/body", "Content-Length: 2", TOKEN, "Expect: 100-continue"));
            assertThat(slow.get(n).reply()).startsWith("HTTP/1.1 100");
        }
        for (int n = 0; n < 20; n++) {
            RawCaller refused = connect().head("POST", "/v1/body", "Content-Length: 2", TOKEN);
            assertThat(refused.reply()).startsWith("HTTP/1.1 503").contains("retry-after: 1", "too many at work");
        }
        connect().head("GET", "/public"); // read by nobody
        await(() -> server.counts().connections() == 8);
        assertThat(connect().head("GET", "/public").reply()).startsWith("HTTP/1.1 503");
        assertThat(server.counts().count(Reason.CALLERS)).isEqualTo(21);

        for (int n = 0; n < 3; n++) {
            assertThat(connect().head("GET", "/v1/echo?n=" + n, OTHER_TOKEN).reply())
                    .endsWith("\r\n\r\n" + n);
        }
        assertThat(slow.get(0).send("ok").reply()).endsWith("\r\n\r\n2");
        assertThat(connect().head("GET", "/v1/echo?n=4", TOKEN).reply()).endsWith("\r\n\r\n4");
        assertThat(server.counts().count(Reason.CONNECTIONS)).isZero();
    }

    @Test
    void followedEvents_countAmongACallersShare_untilTheyEnd() throws Exception {
        ofCaller = 1;
        open();
        RawCaller first = connect().head("GET", "/v1/ticks", TOKEN);
        assertThat(first.reply()).startsWith("HTTP/1.1 200");
        assertThat(connect().head("GET", "/v1/ticks", TOKEN).reply()).startsWith("HTTP/1.1 503");
        assertThat(connect().head("GET", "/v1/echo?n=1", TOKEN).reply()).endsWith("1");
        assertThat(connect().head("GET", "/v1/ticks", OTHER_TOKEN).reply()).startsWith("HTTP/1.1 200");
        first.close();
        await(() -> {
            try (RawCaller next = RawCaller.connect(server)) {
                return next.head("GET", "/v1/ticks", TOKEN).reply().startsWith("HTTP/1.1 200");
            } catch (IOException refused) {
                return false;
            }
        });
    }

    @Test
    void connection_withoutACompleteHead_isClosedInTime() throws Exception {
        head = SHORT;
        open();
        assertThat(connect().isEnded()).isTrue();
        assertThat(connect().send("GET /v1/echo HTTP/1.1\r\n").isEnded()).isTrue();
        assertThat(server.counts().count(Reason.IDLE)).isEqualTo(2);
    }

    @Test
    void connection_withoutANextRequest_isClosedInTime() throws Exception {
        idle = SHORT;
        open();
        RawCaller caller = connect();
        assertThat(caller.head("GET", "/v1/echo?n=1", TOKEN).reply()).endsWith("\r\n\r\n1");
        assertThat(caller.send("GET /v1/echo").isEnded()).isTrue();
        assertThat(server.counts().count(Reason.IDLE)).isEqualTo(1);
    }

    @Test
    void eventStreams_haveABoundOfTheirOwn_andMakeNoRoom() throws Exception {
        connections = 4;
        streams = 2;
        open();
        RawCaller first = connect().head("GET", "/v1/ticks", TOKEN);
        assertThat(first.reply()).startsWith("HTTP/1.1 200");
        RawCaller second = connect().head("GET", "/v1/ticks", TOKEN);
        assertThat(second.reply()).startsWith("HTTP/1.1 200");
        RawCaller third = connect().head("GET", "/v1/ticks", TOKEN);
        assertThat(third.reply()).startsWith("HTTP/1.1 503").contains("retry-after: 1");
        assertThat(server.counts().count(Reason.STREAMS)).isEqualTo(1);

        for (int n = 0; n < 10; n++) {
            connect();
        }
        assertThat(first.line() + first.line() + first.line()).as("it goes on").contains("data: ");
        second.close();
        await(() -> {
            try (RawCaller fourth = RawCaller.connect(server)) {
                return fourth.head("GET", "/v1/ticks", TOKEN).reply().startsWith("HTTP/1.1 200");
            } catch (IOException evicted) {
                return false;
            }
        });
    }

    @Test
    void eventStream_thatNobodyReads_isClosedInTime() throws Exception {
        replyStall = SHORT;
        open();
        RawCaller caller = connect().head("GET", "/v1/floods", TOKEN);

        await(() -> server.counts().count(Reason.REPLY) == 1);
        await(() -> server.counts().connections() == 0);
        assertThat(caller.isEnded()).isTrue();
    }

    @Test
    void eventStream_passesOverWhatItsCallerSends_andNoticesItsEnd() throws Exception {
        open();
        RawCaller caller = connect().head("GET", "/v1/ticks", TOKEN).send(new byte[3 * MEBI]);
        assertThat(caller.reply()).startsWith("HTTP/1.1 200");
        caller.close();

        await(() -> server.counts().connections() == 0);
    }

    @Test
    void counts_areMetered() throws Exception {
        connections = 4;
        open();
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        server.counts().addTo(registry);
        for (int n = 0; n < 5; n++) {
            connect();
        }

        await(() -> registry.get("understudy.control.evicted").functionCounter().count() == 1);
        assertThat(registry.get("understudy.control.connections").gauge().value())
                .isEqualTo(4);
        assertThat(registry.get("understudy.control.refused")
                        .tag("reason", "bodies")
                        .functionCounter()
                        .count())
                .isZero();
    }
}
