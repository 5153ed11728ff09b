package dev.understudy.sidecar;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;

/** A socket server on loopback that does what its script says, badly behaved ones included. */
final class PlainServer implements AutoCloseable {
    private static final String END_OF_HEAD = "\r\n\r\n";

    private final ServerSocket server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Queue<Socket> open = new ConcurrentLinkedQueue<>();
    private final CountDownLatch doorClosed = new CountDownLatch(1);

    /** Plays one connection; it is closed afterwards. */
    interface Script {
        void play(Socket socket) throws Exception;
    }

    private PlainServer(ServerSocket server, Script script) {
        this.server = server;
        threads.execute(() -> accept(script));
    }

    static PlainServer open(Script script) throws IOException {
        return new PlainServer(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), script);
    }

    /** In the place of one that was closed. */
    static PlainServer again(InetSocketAddress address, Script script) throws IOException {
        return new PlainServer(new ServerSocket(address.getPort(), 50, address.getAddress()), script);
    }

    /** Answers each request that has no body with what is said for its target. No date: two replies may be the same. */
    static PlainServer answering(UnaryOperator<String> reply) throws IOException {
        return open(socket -> {
            for (String head = readUntil(socket, END_OF_HEAD);
                    head.endsWith(END_OF_HEAD);
                    head = readUntil(socket, END_OF_HEAD)) {
                write(socket, reply.apply(head.split(" ", 3)[1]));
            }
        });
    }

    static String json(int status, String body) {
        return "HTTP/1.1 " + status + " as asked\r\nContent-Type: application/json\r\nContent-Length: " + body.length()
                + END_OF_HEAD + body;
    }

    InetSocketAddress address() {
        return (InetSocketAddress) server.getLocalSocketAddress();
    }

    /** Accepts no more; what is open stays. While a thread waits in it, a closed socket still accepts. */
    void closeDoor() throws IOException, InterruptedException {
        server.close();
        doorClosed.await();
    }

    int connections() {
        return open.size();
    }

    static void write(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        socket.getOutputStream().flush();
    }

    /** Reads up to and including {@code last}, or to the end. */
    static String readUntil(Socket socket, String last) throws IOException {
        ByteArrayOutputStream read = new ByteArrayOutputStream();
        int end = last.charAt(last.length() - 1);
        int next = socket.getInputStream().read();
        while (next >= 0) {
            read.write(next);
            if (next == end && read.toString(StandardCharsets.ISO_8859_1).endsWith(last)) {
                break;
            }
            next = socket.getInputStream().read();
        }
        return read.toString(StandardCharsets.ISO_8859_1);
    }

    static String readAll(Socket socket) throws IOException {
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }

    /** The socket's peer sees a reset. */
    static void reset(Socket socket) throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket socket : open) {
            socket.close();
        }
        threads.shutdownNow();
    }

    private void accept(Script script) {
        try {
            while (true) {
                Socket socket = server.accept();
                open.add(socket);
                threads.execute(() -> play(script, socket));
            }
        } catch (IOException closed) {
            doorClosed.countDown();
        }
    }

    private static void play(Script script, Socket socket) {
        try (socket) {
            script.play(socket);
        } catch (Exception over) {
            // a connection that ends is the other side's business
        }
    }
}
