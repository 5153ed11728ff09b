package dev.understudy.session.clone.process;

import com.sun.net.httpserver.HttpServer;
import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel.MapMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;

/** A service with all kinds of state, which knows nothing of being copied. Arguments: port, folder, live megabytes. */
final class StatefulService {
    private final byte[][] live;
    private final Map<String, String> cache = new ConcurrentHashMap<>();
    private final RandomAccessFile inPlace;
    private final MappedByteBuffer mapped;
    private final RandomAccessFile deleted;
    private final Path log;
    private final java.io.OutputStream logger;
    private long counter;

    private StatefulService(Path folder, int megabytes) throws Exception {
        live = new byte[megabytes * 1024][];
        for (int i = 0; i < live.length; i++) {
            live[i] = new byte[1008];
            live[i][i % 1008] = (byte) i;
        }
        log = folder.resolve("app.log");
        logger = Files.newOutputStream(log, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        inPlace = new RandomAccessFile(folder.resolve("store").toFile(), "rw");
        inPlace.writeLong(0);
        try (RandomAccessFile file =
                new RandomAccessFile(folder.resolve("mapped").toFile(), "rw")) {
            mapped = file.getChannel().map(MapMode.READ_WRITE, 0, 4096);
        }
        Path ghost = folder.resolve("ghost");
        deleted = new RandomAccessFile(ghost.toFile(), "rw");
        deleted.write(new byte[2 << 20]);
        Files.delete(ghost);
    }

    public static void main(String[] args) throws Exception {
        Path folder = Path.of(args[1]);
        StatefulService service = new StatefulService(folder, Integer.parseInt(args[2]));
        HttpServer server = HttpServer.create(new InetSocketAddress(Integer.parseInt(args[0])), 64);
        server.setExecutor(Executors.newFixedThreadPool(16));
        service.serve(server, "/count", query -> service.count());
        service.serve(server, "/state", query -> service.state());
        service.serve(server, "/hash", query -> service.hash());
        service.serve(server, "/put", query -> {
            int end = query.indexOf('=');
            return String.valueOf(service.cache.put(query.substring(0, end), query.substring(end + 1)));
        });
        service.serve(server, "/get", query -> String.valueOf(service.cache.get(query)));
        service.serve(server, "/resolve", StatefulService::resolve);
        server.start();
        Files.writeString(folder.resolve("ready"), "");
        for (long n = 0; ; n++) {
            Thread.sleep(50);
            System.out.println("alive " + n);
        }
    }

    private void serve(HttpServer server, String path, UnaryOperator<String> answer) {
        server.createContext(path, exchange -> {
            byte[] body = answer.apply(String.valueOf(exchange.getRequestURI().getQuery()))
                    .getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            try (var out = exchange.getResponseBody()) {
                out.write(body);
            }
        });
    }

    private synchronized String count() {
        try {
            counter++;
            inPlace.seek(0);
            inPlace.writeLong(counter);
            mapped.putLong(0, counter);
            logger.write(("request " + counter + "\n").getBytes(StandardCharsets.US_ASCII));
            return Long.toString(counter);
        } catch (java.io.IOException failed) {
            return failed.toString();
        }
    }

    private synchronized String state() {
        try {
            inPlace.seek(0);
            long lines;
            try (var all = Files.lines(log)) {
                lines = all.count();
            }
            return "counter=" + counter + " file=" + inPlace.readLong() + " mapped=" + mapped.getLong(0) + " ghost="
                    + deleted.length() + " log=" + lines;
        } catch (java.io.IOException failed) {
            return failed.toString();
        }
    }

    private String hash() {
        int sum = 0;
        for (byte[] part : live) {
            sum = sum * 31 + Arrays.hashCode(part);
        }
        return Integer.toString(sum);
    }

    private static String resolve(String name) {
        try {
            return InetAddress.getByName(name).getHostAddress();
        } catch (java.io.IOException unknown) {
            return "unknown";
        }
    }
}
