package dev.understudy.relay.control;

import dev.understudy.relay.control.ControlCounts.Reason;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What requests and replies of a control port's callers can't take from the process. */
final class ControlLimitsTest extends ControlStage {
    @Test
    void pipelinedRequests_areAnsweredInOrder() throws Exception {
        open();
        RawCaller caller = connect();
        StringBuilder requests = new StringBuilder();
        for (int n = 0; n < 3_000; n++) {
            requests.append("GET /v1/echo?n=").append(n).append(" HTTP/1.1\r\nAuthorization: Bearer secret\r\n\r\n");
        }
        Thread sender = new Thread(() -> send(caller, requests.toString()));
        sender.start();

        for (int n = 0; n < 3_000; n++) {
            assertThat(caller.reply()).startsWith("HTTP/1.1 200").endsWith("\r\n\r\n" + n);
        }
        sender.join();
    }

    @Tag("slow")
    @Test
    void pipelinedRequests_whoseRepliesNobodyReads_areLeftUnanswered() throws Exception {
        replyStall = Duration.ofSeconds(2);
        open();
        for (String request : List.of(
                "GET /healthz HTTP/1.1\r\n\r\n", "GET /v1/echo?n=1 HTTP/1.1\r\nAuthorization: Bearer secret\r\n\r\n")) {
            RawCaller caller = connect();
            answered.set(0);
            String many = request.repeat(10_000);
            Thread sender = new Thread(() -> {
                for (int n = 0; n < 100; n++) {
                    send(caller, many);
                }
            });
            sender.start();

            long before = server.counts().count(Reason.REPLY);
            await(() -> server.counts().count(Reason.REPLY) == before + 1);
            sender.join();
            assertThat(answered.get()).as(request).isLessThan(50_000);
        }
    }

    @Test
    void refusals_areWrittenNoFasterThanTheyAreRead() throws Exception {
        replyStall = Duration.ofSeconds(1);
        open();
        RawCaller caller = connect();
        String many = "GET /v1/secret HTTP/1.1\r\n\r\n".repeat(10_000);

        Thread sender = new Thread(() -> {
            for (int n = 0; n < 100; n++) {
                send(caller, many);
            }
        });
        sender.start();

        await(() -> server.counts().count(Reason.REPLY) == 1);
        sender.join();
        assertThat(caller.isEnded()).isTrue();
    }

    @Tag("slow")
    @Test
    void largeReply_thatNobodyReads_holdsItsRoomUntilItsTimeIsOver() throws Exception {
        replyStall = Duration.ofSeconds(2);
        open();
        RawCaller silent = connect();
        silent.head("GET", "/v1/large", TOKEN);
        await(() -> answered.get() == 1);

        RawCaller next = connect();
        next.head("GET", "/v1/large", TOKEN);
        assertThat(next.reply()).startsWith("HTTP/1.1 503").contains("retry-after: 1");
        assertThat(server.counts().count(Reason.REPLIES)).isEqualTo(1);
        next.head("GET", "/v1/echo?n=7", TOKEN);
        assertThat(next.reply()).as("small replies").endsWith("\r\n\r\n7");

        await(() -> server.counts().count(Reason.REPLY) == 1);
        next.head("GET", "/v1/large", TOKEN);
        assertThat(next.reply()).startsWith("HTTP/1.1 200").hasSizeGreaterThan(3 * MEBI);
    }

    @Test
    void slowlyReadReply_endsWhenItsWholeTimeIsOver() throws Exception {
        reply = SHORT;
        open();
        RawCaller caller = connect();
        caller.head("GET", "/v1/large", TOKEN);

        await(() -> server.counts().count(Reason.REPLY) == 1);
    }

    @Test
    void announcedBody_isRefusedByTheHeadAlone() throws Exception {
        open();
        for (String[] request : new String[][] {
            {"401", "POST", "/v1/body", "Content-Length: 900000"},
            {"401", "POST", "/v1/body", "Content-Length: 900000", "Expect: 100-continue"},
            {"401", "POST", "/v1/body", "Transfer-Encoding: chunked"},
            {"404", "POST", "/v1/nowhere", "Content-Length: 900000", TOKEN},
            {"405", "POST", "/v1/echo", "Content-Length: 900000", TOKEN},
            {"413", "POST", "/v1/body", "Content-Length: 9000000", TOKEN},
            {"413", "POST", "/v1/body", "Content-Length: 9000000", "Expect: 100-continue", TOKEN},
            {"417", "POST", "/v1/body", "Content-Length: 9", "Expect: gold", TOKEN},
        }) {
            RawCaller caller = connect();
            caller.head(
                    request[1],
                    request[2],
                    List.of(request).subList(3, request.length).toArray(new String[0]));

            assertThat(caller.reply())
                    .as(String.join(" ", request))
                    .startsWith("HTTP/1.1 " + request[0])
                    .contains("connection: close");
        }
        assertThat(answered).hasValue(0);
    }

    @Test
    void refusedBody_isPassedOver_soThatItsSenderIsntReset() throws Exception {
        open();
        RawCaller caller = connect();
        caller.head("POST", "/v1/body", "Content-Length: 3000000");
        assertThat(caller.reply()).startsWith("HTTP/1.1 401");

        caller.send(new byte[3_000_000]);
        assertThat(caller.isEnded()).isTrue();
    }

    @Test
    void expectedContinue_isSaidToWhoMaySend() throws Exception {
        open();
        RawCaller caller = connect();
        caller.head("POST", "/v1/body", "Content-Length: 4", "Expect: 100-continue", TOKEN);
        assertThat(caller.reply()).startsWith("HTTP/1.1 100 Continue");

        caller.send("four");
        assertThat(caller.reply()).startsWith("HTTP/1.1 200").endsWith("\r\n\r\n4");
    }

    @Test
    void chunkedBody_isTakenPieceByPiece_upToItsRoutesLimit() throws Exception {
        open();
        RawCaller caller = connect();
        caller.head("POST", "/v1/body", "Transfer-Encoding: chunked", TOKEN);
        for (int n = 0; n < 2_000; n++) {
            caller.send("1\r\nx\r\n");
        }
        caller.send("0\r\n\r\n");
        assertThat(caller.reply()).endsWith("\r\n\r\n2000");

        caller.head("POST", "/v1/small", "Transfer-Encoding: chunked", TOKEN).send("c8\r\n" + "x".repeat(200));
        assertThat(caller.reply()).startsWith("HTTP/1.1 413").contains("<= 100 bytes");
    }

    @Test
    void bodies_shareTheirRoom_whichAnnouncedBytesDontTake() throws Exception {
        open();
        for (int n = 0; n < 20; n++) {
            connect().head("POST", "/v1/body", "Content-Length: 1000000", TOKEN); // nothing of it comes
        }
        RawCaller first = connect();
        first.head("POST", "/v1/body", "Content-Length: 1000000", TOKEN).send(new byte[999_999]);
        await(() -> server.bodies().used() > MEBI - 2 * RequestBody.FREE);
        RawCaller second = connect();
        second.head("POST", "/v1/body", "Content-Length: 1000000", TOKEN).send(new byte[999_999]);
        assertThat(second.reply()).startsWith("HTTP/1.1 503").contains("retry-after: 1", "connection: close");
        assertThat(server.counts().count(Reason.BODIES)).isEqualTo(1);

        RawCaller operator = connect();
        operator.head("POST", "/v1/body", "Content-Length: 4000", TOKEN).send(new byte[4_000]);
        assertThat(operator.reply()).as("an order").endsWith("\r\n\r\n4000");

        first.send(new byte[1]);
        assertThat(first.reply()).endsWith("\r\n\r\n1000000");
        operator.head("POST", "/v1/body", "Content-Length: 1000000", TOKEN).send(new byte[1_000_000]);
        assertThat(operator.reply()).as("room again").endsWith("\r\n\r\n1000000");
    }

    @Test
    void body_thatStops_endsTheConnection_andGivesItsRoomBack() throws Exception {
        bodyStall = SHORT;
        open();
        RawCaller stopped = connect();
        stopped.head("POST", "/v1/body", "Content-Length: 1000000", TOKEN).send(new byte[999_999]);
        assertThat(stopped.isEnded()).isTrue();
        assertThat(server.counts().count(Reason.BODY)).isEqualTo(1);

        RawCaller next = connect();
        next.head("POST", "/v1/body", "Content-Length: 1000000", TOKEN).send(new byte[1_000_000]);
        assertThat(next.reply()).endsWith("\r\n\r\n1000000");
    }

    @Test
    void body_thatComesByteByByte_endsTheConnection() throws Exception {
        body = SHORT;
        open();
        RawCaller slow = connect();
        slow.head("POST", "/v1/body", "Content-Length: 1000000", TOKEN);

        await(() -> {
            send(slow, "x");
            return server.counts().count(Reason.BODY) == 1;
        });
        assertThat(slow.isEnded()).isTrue();
    }
}
