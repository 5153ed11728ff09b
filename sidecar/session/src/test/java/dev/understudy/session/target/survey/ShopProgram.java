package dev.understudy.session.target.survey;

import java.io.FileOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnixDomainSocketAddress;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A small service with everything that a survey looks for. Its words: {@code listen=HOST},
 * {@code serve=HOST} accepts, too, {@code connect=HOST:PORT},
 * {@code unix=PATH}, {@code files=FOLDER}. Its first line of output has the ports, in their order.
 */
public final class ShopProgram {
    private final List<Object> open = new CopyOnWriteArrayList<>();
    private final StringBuilder ports = new StringBuilder();

    private ShopProgram() {}

    public static void main(String[] words) throws IOException {
        ShopProgram shop = new ShopProgram();
        for (String word : words) {
            String value = word.substring(word.indexOf('=') + 1);
            switch (word.substring(0, word.indexOf('='))) {
                case "listen" -> shop.listen(value);
                case "serve" -> shop.serve(shop.listen(value));
                case "connect" -> shop.connect(value);
                case "unix" -> shop.open.add(SocketChannel.open(UnixDomainSocketAddress.of(value)));
                default -> shop.files(Path.of(value));
            }
        }
        System.out.println("ready" + shop.ports);
        System.in.read();
        System.out.println(shop.open);
    }

    private ServerSocket listen(String host) throws IOException {
        ServerSocket server =
                host.equals("*") ? new ServerSocket(0) : new ServerSocket(0, 50, InetAddress.getByName(host));
        open.add(server);
        ports.append(' ').append(server.getLocalPort());
        return server;
    }

    private void serve(ServerSocket server) {
        Thread acceptor = new Thread(() -> {
            try {
                for (Socket client = server.accept(); client.isConnected(); client = server.accept()) {
                    open.add(client);
                }
            } catch (IOException closed) {
                // the program ends
            }
        });
        acceptor.setDaemon(true);
        acceptor.start();
    }

    private void connect(String address) throws IOException {
        int colon = address.lastIndexOf(':');
        Socket socket = new Socket();
        socket.connect(
                new InetSocketAddress(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1))));
        open.add(socket);
    }

    private void files(Path folder) throws IOException {
        FileOutputStream written =
                new FileOutputStream(folder.resolve("written.dat").toFile());
        written.write(new byte[1000]);
        FileOutputStream appended =
                new FileOutputStream(folder.resolve("appended.log").toFile(), true);
        open.add(List.of(written, appended));
        try (FileChannel channel = FileChannel.open(
                folder.resolve("mapped.dat"),
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
            MappedByteBuffer mapped = channel.map(FileChannel.MapMode.READ_WRITE, 0, 4096);
            open.add(mapped);
        }
        Path deleted = folder.resolve("deleted.tmp");
        open.add(FileChannel.open(deleted, StandardOpenOption.CREATE, StandardOpenOption.WRITE));
        Files.delete(deleted);
    }
}
