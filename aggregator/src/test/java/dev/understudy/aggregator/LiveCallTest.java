package dev.understudy.aggregator;

import dev.understudy.aggregator.exchange.PendingRequest;
import dev.understudy.aggregator.http.HttpLiveRead;
import dev.understudy.aggregator.http.stub.StubRequest;
import dev.understudy.aggregator.limit.HeldMemory;
import dev.understudy.aggregator.live.LiveLimits;
import dev.understudy.divergence.wire.http.RequestHead;
import dev.understudy.relay.connect.Address;
import dev.understudy.relay.connect.ProductionConfig;
import dev.understudy.relay.lane.MemoryBudget;
import dev.understudy.relay.loop.EventLoops;
import io.netty.channel.EventLoop;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** One read at a real server that misbehaves: it ends in time, and its place is free again. */
class LiveCallTest {
    private static final int LONGEST = 1_000;

    private final EventLoops loops = EventLoops.open(1, 1);
    private final EventLoop loop = loops.nextLane();
    private final MemoryBudget budget = new MemoryBudget(1 << 20, null);
    private final HeldMemory memory = new HeldMemory(budget, 0, limit -> {});
    private ServerSocket server;
    private LiveUpstream upstream;

    @BeforeEach
    void open() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        ProductionConfig there = ProductionConfig.of(Address.parse("127.0.0.1:" + server.getLocalPort()));
        LiveLimits limits = new LiveLimits(1, 1, 1_000, Duration.ofSeconds(2), LONGEST);
        upstream = new LiveUpstream(LiveTarget.real("test", there).within(limits), loops, System::nanoTime);
    }

    @AfterEach
    void close() throws IOException {
        upstream.close();
        loops.close();
        server.close();
    }

    @Test
    void silentServer_isGivenUp_andWhatWaitedIsServedThen() throws Exception {
        CompletableFuture<String> silent = ask();
        try (Socket first = server.accept()) {
            CompletableFuture<String> waiting = ask();
            assertThat(ask().get()).as("no place").startsWith("the 1 connections for live reads are busy, and 1 wait");

            assertThat(silent.get()).isEqualTo("no reply within 2000 ms");
            assertThat(waiting.get()).as("its time ran while it waited").isIn("no reply within 2000 ms", "");
            assertThat(first.getInputStream().readAllBytes())
                    .asString()
                    .startsWith("GET /a HTTP/1.1\r\n")
                    .contains("Connection: close\r\n");
        }
        assertThat(answered("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")).isEmpty();
    }

    @Test
    void brokenAndEndlessReplies_areNoReplies_andHoldNothing() throws Exception {
        assertThat(answered("SSH-2.0-no\r\n\r\n")).contains("no HTTP/1.1");
        assertThat(answered("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort"))
                .contains("isn't whole");
        assertThat(answered("HTTP/1.1 200 OK\r\n\r\n" + "x".repeat(LONGEST)))
                .isEqualTo("its reply is longer than 1000 bytes");
        assertThat(answered("HTTP/1.1 200 OK\r\n\r\nuntil the end")).isEmpty();
        assertThat(budget.used()).isZero();
    }

    @Test
    void moreReadsThanASecondMayHave_areRefused() throws Exception {
        LiveLimits slow = new LiveLimits(9, 9, 2, Duration.ofSeconds(2), LONGEST);
        ProductionConfig there = ProductionConfig.of(Address.parse("127.0.0.1:" + server.getLocalPort()));
        upstream = new LiveUpstream(LiveTarget.real("test", there).within(slow), loops, () -> 0);

        CompletableFuture<String> first = ask();
        CompletableFuture<String> second = ask();

        assertThat(ask().get()).isEqualTo("more than 2 live reads in a second");
        assertThat(first.get()).isEqualTo("no reply within 2000 ms");
        assertThat(second.get()).isEqualTo("no reply within 2000 ms");
    }

    @Test
    void cancelledRead_isReportedToNobody_andItsPlaceIsFree() throws Exception {
        CompletableFuture<String> never = new CompletableFuture<>();
        CompletableFuture<PendingRequest> begun = new CompletableFuture<>();
        loop.execute(() -> begun.complete(
                upstream.ask(loop, memory, "GET /a", read(), problem -> never.complete(String.valueOf(problem)))));
        try (Socket opened = server.accept()) {
            loop.execute(begun.get()::cancel);
            assertThat(opened.getInputStream().readAllBytes()).as("closed").isNotNull();
        }
        assertThat(answered("HTTP/1.1 204 No Content\r\n\r\n")).isEmpty();
        assertThat(never).isNotDone();
    }

    @Test
    void peerThatIsARealUpstream_isSentNothing() throws Exception {
        Address there = Address.parse("localhost:" + server.getLocalPort());
        upstream = new LiveUpstream(LiveTarget.standin("test", there, peer -> true), loops, System::nanoTime);

        assertThat(ask().get()).isEqualTo("a real upstream is at its address");

        try (Socket opened = server.accept()) {
            assertThat(opened.getInputStream().readAllBytes()).isEmpty();
        }
        assertThat(budget.used()).isZero();
    }

    /** What became of a read that gets this; "" for a reply. */
    private String answered(String reply) throws Exception {
        CompletableFuture<String> asked = ask();
        while (!asked.isDone()) {
            server.setSoTimeout(100);
            try (Socket socket = server.accept()) {
                // a read that is over may have left one in the queue
                BufferedReader request =
                        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
                String line = request.readLine();
                while (line != null && !line.isEmpty()) {
                    line = request.readLine();
                }
                socket.getOutputStream().write(reply.getBytes(StandardCharsets.US_ASCII));
                socket.shutdownOutput();
            } catch (SocketTimeoutException | SocketException gone) {
                // once more
            }
        }
        return asked.get();
    }

    private CompletableFuture<String> ask() {
        CompletableFuture<String> answer = new CompletableFuture<>();
        loop.execute(() -> upstream.ask(
                loop, memory, "GET /a", read(), problem -> answer.complete(Objects.requireNonNullElse(problem, ""))));
        return answer;
    }

    private static HttpLiveRead read() {
        RequestHead head = new RequestHead("GET", "/a", "HTTP/1.1", List.of());
        return Objects.requireNonNull(HttpLiveRead.of(new StubRequest(head, new byte[0])));
    }
}
