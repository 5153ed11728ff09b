package dev.understudy.sidecar;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static dev.understudy.sidecar.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * HTTP/2 whose headers nobody can read, so that it is carried as bytes: in order, and without waits that nobody needs.
 */
final class SidecarHttp2Test {
    private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
    private static final int REQUESTS = 200;
    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int PING = 6;
    private static final int END = 1;
    private static final int END_HEADERS = 4;

    private static byte[] frame(int type, int flags, int stream, int length) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.write(0);
        out.writeShort(length);
        out.write(type);
        out.write(flags);
        out.writeInt(stream);
        out.write(new byte[length]);
        return bytes.toByteArray();
    }

    /** The stream of the next frame of {@code type}. */
    private static int next(Socket socket, int type) throws IOException {
        DataInputStream in = new DataInputStream(socket.getInputStream());
        while (true) {
            int length = in.read() << 16 | in.readUnsignedShort();
            int found = in.read();
            in.skipNBytes(1);
            int stream = in.readInt();
            in.skipNBytes(length);
            if (found == type) {
                return stream;
            }
        }
    }

    /** Answers each request with so many bytes, and pings in between if it {@code pings}. */
    private static void serve(Socket socket, int length, boolean pings, CountDownLatch last, Queue<Integer> answered)
            throws Exception {
        socket.getInputStream().skipNBytes(PREFACE.length());
        for (int n = 0; n < REQUESTS; n++) {
            int stream = next(socket, HEADERS);
            if (pings && n % 3 == 0) {
                socket.getOutputStream().write(frame(PING, 0, 0, 8));
            }
            if (n == REQUESTS - 1) {
                socket.getOutputStream().write(frame(HEADERS, 0, stream, 10));
                last.await();
            }
            socket.getOutputStream().write(frame(DATA, END, stream, length));
            answered.add(stream);
        }
        PlainServer.readAll(socket);
    }

    private static void ask(Socket client) throws IOException {
        client.setTcpNoDelay(true);
        client.getOutputStream().write(PREFACE.getBytes(StandardCharsets.US_ASCII));
        for (int n = 0; n < REQUESTS; n++) {
            client.getOutputStream().write(frame(HEADERS, END | END_HEADERS, 2 * n + 1, 30));
            assertThat(next(client, DATA)).isEqualTo(2 * n + 1);
        }
    }

    /** The last reply comes three seconds after its first frame; its client has left by then. */
    @Tag("slow")
    @Test
    void requestsOneAfterTheOther_costDebugNoWaits_andTheLastIsAnsweredAlthoughTheClientLeft() throws Exception {
        CountDownLatch now = new CountDownLatch(0);
        CountDownLatch later = new CountDownLatch(1);
        Queue<Integer> byProduction = new ConcurrentLinkedQueue<>();
        Queue<Integer> byDebug = new ConcurrentLinkedQueue<>();
        try (PlainServer production = PlainServer.open(socket -> serve(socket, 100, true, now, byProduction));
                PlainServer debug = PlainServer.open(socket -> serve(socket, 70, false, later, byDebug));
                Stage stage = Stage.open(production.address(), debug.address())) {
            try (Socket client = stage.connect()) {
                ask(client);
            }
            await().until(() -> byDebug.size() == REQUESTS - 1);
            long begun = System.nanoTime();
            await().until(() -> System.nanoTime() - begun > 3_000_000_000L);
            assertThat(stage.status().at("/lanes/open").asInt()).isEqualTo(1);
            later.countDown();
            await().until(() -> byDebug.size() == REQUESTS);
            JsonNode status =
                    stage.awaitStatus("its end", s -> s.at("/lanes/open").asInt() == 0);
            assertThat(status.get("losses")).as(status.toPrettyString()).isEmpty();
            assertThat(byDebug).containsExactlyElementsOf(byProduction);
            assertThat(stage.controlText("/metrics").body())
                    .as("waits that were given up")
                    .contains("understudy_order_overtaken_total 0.0");
        }
    }
}
