package dev.understudy.it.bench.load;

import dev.understudy.it.bench.subject.Subject;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

/** Against servers of which it is known what they do. */
@Tag("slow")
final class SteadyHttpTest {
    private static final byte[] REPLY = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".getBytes(US_ASCII);

    /** A client that measures from when it could send would see one slow request in a hundred. */
    @Test
    void stall_showsInEveryRequestThatItDelayed() throws Exception {
        try (ServerSocket server = server((socket, n) -> {
            if (n == 20) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(600));
            }
            socket.getOutputStream().write(REPLY);
        })) {
            Sample sample = run(server, 100);
            Histogram latency = Objects.requireNonNull(sample.latency());

            assertThat(sample.operations()).isEqualTo(100);
            assertThat(sample.failed()).isZero();
            long slow = latency.getCountBetweenValues(TimeUnit.MILLISECONDS.toNanos(100), Long.MAX_VALUE);
            assertThat(slow).as("requests due in the first 500 ms of the stall").isBetween(45L, 99L);
            assertThat(sample.latencyMicros(100)).isGreaterThanOrEqualTo(590_000);
            assertThat(sample.latencyMicros(75)).isGreaterThan(200_000);
        }
    }

    @Test
    void brokenConnections_areFailures_andNoOperations() throws Exception {
        try (ServerSocket server = server((socket, n) -> {
            if (n % 5 == 4) {
                socket.close();
            } else {
                socket.getOutputStream().write(REPLY);
            }
        })) {
            Sample sample = run(server, 50);
            assertThat(sample.failed()).isEqualTo(10);
            assertThat(sample.operations()).isEqualTo(40);
            assertThat(Objects.requireNonNull(sample.latency()).getTotalCount()).isEqualTo(50);
        }
    }

    @Test
    void otherAnswersThanTheFile_areFailures() throws Exception {
        try (ServerSocket server = server((socket, n) -> socket.getOutputStream()
                .write("HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n".getBytes(US_ASCII)))) {
            Sample sample = run(server, 20);
            assertThat(sample.failed()).isEqualTo(20);
            assertThat(sample.operations()).isZero();
        }
    }

    @Test
    void serverThatHangs_failsAllThatWasDue_withTheTimeThatItHadWaited() throws Exception {
        try (ServerSocket server = server((socket, n) -> {
            if (n < 10) {
                socket.getOutputStream().write(REPLY);
            }
        })) {
            Sample sample = run(server, 40);
            assertThat(sample.operations()).isEqualTo(10);
            assertThat(sample.failed()).isEqualTo(30);
            assertThat(sample.latencyMicros(50)).isGreaterThan(2_000_000);
        }
    }

    private static Sample run(ServerSocket server, int perSecond) throws InterruptedException {
        Subject subject = new Subject("test", server.getLocalPort(), 0, List.of(), "");
        return new SteadyHttp("steady", Ask.get("/"), 1, perSecond, 1).measure(subject);
    }

    /** Serves one connection after the other; requests are counted over all of them. */
    private static ServerSocket server(Answer answer) throws IOException {
        ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread thread = new Thread(() -> serve(server, answer), "test-server");
        thread.setDaemon(true);
        thread.start();
        return server;
    }

    private static void serve(ServerSocket server, Answer answer) {
        int n = 0;
        while (!server.isClosed()) {
            try (Socket socket = server.accept()) {
                socket.setTcpNoDelay(true);
                while (!socket.isClosed() && readHead(socket.getInputStream())) {
                    answer.to(socket, n++);
                }
            } catch (IOException gone) {
                // the next connection, if there is one
            }
        }
    }

    private static boolean readHead(InputStream in) throws IOException {
        int ends = 0;
        for (int next = in.read(); next >= 0; next = in.read()) {
            ends = next == '\n' ? ends + 1 : next == '\r' ? ends : 0;
            if (ends == 2) {
                return true;
            }
        }
        return false;
    }

    private interface Answer {
        void to(Socket socket, int n) throws IOException;
    }
}
