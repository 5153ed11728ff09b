package dev.understudy.aggregator;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.net.ServerSocketFactory;

/** An HTTP upstream of which a test sees every byte: answers one request per connection with its name and the count. */
final class HeadServer implements AutoCloseable {
    /** What came on each connection, up to the end of the request's head. */
    final Queue<String> heads = new ConcurrentLinkedQueue<>();

    private final String name;
    private final Closeable listening;
    private final int port;
    private final Thread accepting;

    private HeadServer(String name, Closeable listening, int port, Accepting accepting) {
        this.name = name;
        this.listening = listening;
        this.port = port;
        this.accepting = new Thread(() -> serve(accepting), "head-server-" + name);
        this.accepting.setDaemon(true);
        this.accepting.start();
    }

    static HeadServer open(String name) throws IOException {
        return open(name, ServerSocketFactory.getDefault());
    }

    static HeadServer open(String name, ServerSocketFactory sockets) throws IOException {
        ServerSocket server = sockets.createServerSocket(0, 50, InetAddress.getLoopbackAddress());
        return new HeadServer(name, server, server.getLocalPort(), answer -> {
            try (Socket socket = server.accept()) {
                socket.getOutputStream().write(answer.to(socket.getInputStream()));
            }
        });
    }

    static HeadServer open(String name, Path unixSocket) throws IOException {
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        server.bind(UnixDomainSocketAddress.of(unixSocket));
        return new HeadServer(name, server, 0, answer -> {
            try (SocketChannel socket = server.accept()) {
                Channels.newOutputStream(socket).write(answer.to(Channels.newInputStream(socket)));
            }
        });
    }

    int port() {
        return port;
    }

    /** Returns once nobody is accepted any more. */
    @Override
    public void close() throws IOException {
        listening.close();
        try {
            accepting.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void serve(Accepting accepting) {
        try {
            while (true) {
                accepting.next(this::answer);
            }
        } catch (IOException closed) {
            return;
        }
    }

    private byte[] answer(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        for (int next = in.read(); next >= 0; next = in.read()) {
            head.append((char) next);
            if (head.toString().endsWith("\r\n\r\n")) {
                break;
            }
        }
        if (head.isEmpty()) {
            return new byte[0]; // a health check, which says nothing
        }
        heads.add(head.toString());
        String body = name + " " + heads.size();
        return ("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: " + body.length() + "\r\n\r\n" + body)
                .getBytes(StandardCharsets.US_ASCII);
    }

    private interface Accepting {
        void next(Answer answer) throws IOException;
    }

    private interface Answer {
        byte[] to(InputStream asked) throws IOException;
    }
}
