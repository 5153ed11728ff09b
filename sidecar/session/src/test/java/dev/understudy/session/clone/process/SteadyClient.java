package dev.understudy.session.clone.process;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Keeps one connection to production, and compares each reply with the first. */
final class SteadyClient implements AutoCloseable {
    private static final Pattern LENGTH = Pattern.compile("(?i)content-length: (\\d+)");

    final AtomicInteger replies = new AtomicInteger();
    final AtomicLong longestNanos = new AtomicLong();
    private final AtomicReference<String> failure = new AtomicReference<>("");
    private final Socket socket;
    private final Thread thread;
    private volatile boolean ended;

    SteadyClient(int port) throws IOException {
        socket = new Socket("127.0.0.1", port);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(30_000);
        thread = new Thread(this::run, "steady client");
        thread.setDaemon(true);
        thread.start();
    }

    /** What went wrong at first; "" if nothing did. */
    String failure() {
        return String.valueOf(failure.get());
    }

    private void run() {
        String first = "";
        try {
            DataInputStream in = new DataInputStream(socket.getInputStream());
            while (!ended) {
                long began = System.nanoTime();
                socket.getOutputStream()
                        .write("GET /hash HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                String reply = read(in);
                longestNanos.accumulateAndGet(System.nanoTime() - began, Math::max);
                first = first.isEmpty() ? reply : first;
                if (!reply.equals(first)) {
                    failure.compareAndSet("", reply + " after " + first);
                }
                replies.incrementAndGet();
                Thread.sleep(2);
            }
        } catch (IOException | InterruptedException lost) {
            failure.compareAndSet("", lost.toString());
        }
    }

    private static String read(DataInputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append((char) in.readUnsignedByte());
        }
        Matcher length = LENGTH.matcher(head);
        if (!length.find()) {
            throw new IOException("no length: " + head);
        }
        return head.substring(0, 12)
                + new String(in.readNBytes(Integer.parseInt(length.group(1))), StandardCharsets.US_ASCII);
    }

    /** Waits for a few more replies. */
    void awaitReplies(int more) throws InterruptedException {
        int goal = replies.get() + more;
        for (int i = 0; i < 3000 && replies.get() < goal && failure().isEmpty(); i++) {
            Thread.sleep(10);
        }
    }

    @Override
    public void close() throws IOException {
        ended = true;
        try {
            thread.join(35_000);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        socket.close();
    }
}
