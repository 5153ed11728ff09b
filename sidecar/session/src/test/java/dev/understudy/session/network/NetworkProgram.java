package dev.understudy.session.network;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Servers and clients in a network of their own: what to do comes as lines, and each is answered by a line. */
public final class NetworkProgram {
    private static final int CONNECT_MILLIS = 2_000;

    private final Map<String, Socket> open = new ConcurrentHashMap<>();
    private volatile boolean isFlooding;
    private final List<Long> failures = Collections.synchronizedList(new ArrayList<>());
    private final AtomicLong connections = new AtomicLong();
    private volatile Thread flood = Thread.currentThread();

    public static void main(String[] args) throws IOException {
        NetworkProgram program = new NetworkProgram();
        System.out.println("ready");
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            System.out.println(program.answer(line.split(" ", -1)));
        }
    }

    private String answer(String[] words) {
        try {
            return switch (words[0]) {
                case "listen" -> listen(words[1], address(words, 2), null);
                case "relay" -> listen(words[1], address(words, 2), address(words, 4));
                case "connect" -> {
                    try (Socket socket = connect(address(words, 1))) {
                        yield line(socket);
                    }
                }
                case "open" -> {
                    Socket socket = connect(address(words, 2));
                    open.put(words[1], socket);
                    yield line(socket);
                }
                case "talk" -> {
                    Socket socket = Objects.requireNonNull(open.get(words[1]));
                    socket.getOutputStream().write("x\n".getBytes(StandardCharsets.UTF_8));
                    yield line(socket);
                }
                case "flood" -> flood(address(words, 1));
                case "flooded" -> flooded();
                default -> "unknown";
            };
        } catch (IOException failed) {
            return "failed: " + failed.getMessage();
        }
    }

    private static InetSocketAddress address(String[] words, int n) {
        return new InetSocketAddress(words[n], Integer.parseInt(words[n + 1]));
    }

    private static Socket connect(InetSocketAddress address) throws IOException {
        Socket socket = new Socket();
        socket.connect(address, CONNECT_MILLIS);
        socket.setSoTimeout(CONNECT_MILLIS);
        return socket;
    }

    private static String line(Socket socket) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = socket.getInputStream().read();
                c != '\n';
                c = socket.getInputStream().read()) {
            if (c < 0) {
                throw new IOException("closed");
            }
            line.append((char) c);
        }
        return line.toString();
    }

    private static String listen(String name, InetSocketAddress at, @Nullable InetSocketAddress target)
            throws IOException {
        ServerSocket server = new ServerSocket();
        server.bind(at, 200);
        daemon(() -> {
            while (true) {
                Socket socket = server.accept();
                daemon(() -> serve(name, socket, target));
            }
        });
        return "ok";
    }

    private static void serve(String name, Socket socket, @Nullable InetSocketAddress target) throws IOException {
        try (socket) {
            OutputStream out = socket.getOutputStream();
            if (target == null) {
                out.write((name + "\n").getBytes(StandardCharsets.UTF_8));
                while (true) {
                    out.write((name + " " + line(socket) + "\n").getBytes(StandardCharsets.UTF_8));
                }
            }
            try (Socket upstream = connect(target)) {
                upstream.setSoTimeout(0);
                daemon(() -> upstream.getInputStream().transferTo(new Named(name, out)));
                socket.getInputStream().transferTo(upstream.getOutputStream());
            }
        }
    }

    /** Writes a name before each piece. */
    private static final class Named extends OutputStream {
        private final String name;
        private final OutputStream out;

        Named(String name, OutputStream out) {
            this.name = name;
            this.out = out;
        }

        @Override
        public void write(int b) throws IOException {
            out.write(b);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            String text = name + ">" + new String(bytes, from, length, StandardCharsets.UTF_8);
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
    }

    /** Makes new connections until it is stopped, and notes when one failed. */
    private String flood(InetSocketAddress address) {
        isFlooding = true;
        failures.clear();
        connections.set(0);
        flood = daemon(() -> {
            while (isFlooding) {
                long begin = System.nanoTime();
                try (Socket socket = connect(address)) {
                    line(socket);
                    connections.incrementAndGet();
                } catch (IOException failed) {
                    failures.add(begin);
                }
            }
        });
        return "ok";
    }

    private String flooded() {
        isFlooding = false;
        try {
            flood.join();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        long outage = failures.isEmpty() ? 0 : failures.get(failures.size() - 1) - failures.get(0);
        return connections.get() + " " + failures.size() + " " + outage / 1_000_000;
    }

    private static Thread daemon(Action action) {
        Thread thread = new Thread(() -> {
            try {
                action.run();
            } catch (IOException ended) {
                // the other side closed
            }
        });
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private interface Action {
        void run() throws IOException;
    }
}
