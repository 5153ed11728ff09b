package dev.understudy.relay;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.UnixOperatingSystemMXBean;
import dev.understudy.relay.accept.AcceptConfig;
import dev.understudy.relay.connect.Address;
import dev.understudy.relay.connect.ProductionConfig;
import dev.understudy.relay.loop.EventLoops;
import dev.understudy.relay.tap.TapFactory;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Scanner;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Ten thousand clients one after the other, and as many at once as a process's file descriptors allow, up to as many.
 */
@Tag("process")
final class CrowdTest {
    private static final int CROWD = 10_000;

    /** Production for many: echoes what it reads. */
    static final class Echo {
        private Echo() {}

        public static void main(String[] args) throws IOException {
            EventLoops loops = EventLoops.open(1, 1);
            InetSocketAddress address = (InetSocketAddress) new ServerBootstrap()
                    .group(loops.relay())
                    .channel(loops.serverChannel())
                    .option(ChannelOption.SO_BACKLOG, 4096)
                    .childHandler(new EchoHandler())
                    .bind(InetAddress.getLoopbackAddress(), 0)
                    .syncUninterruptibly()
                    .channel()
                    .localAddress();
            System.out.println(address.getPort());
            System.in.read();
        }
    }

    @Sharable
    private static final class EchoHandler extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext ctx, Object msg) {
            ctx.writeAndFlush(msg);
        }
    }

    /** The relay: {@code production-port}. Tells what is open, its CPU time in ms and its resident memory in MB. */
    static final class Program {
        private Program() {}

        public static void main(String[] args) throws IOException {
            EventLoops loops = EventLoops.open(1, 1);
            Listener listener = Listener.open(
                    new RelayConfig(
                            "crowd",
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                            ProductionConfig.of(new Address.Inet("127.0.0.1", Integer.parseInt(args[0]))),
                            AcceptConfig.defaults()),
                    TapFactory.NONE,
                    loops,
                    new SimpleMeterRegistry());
            System.out.println(listener.address().getPort());
            while (System.in.read() >= 0) {
                System.out.println(listener.open() + " " + cpuMillis() + " " + residentMegabytes());
            }
        }

        private static long cpuMillis() {
            return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime()
                    / 1_000_000;
        }

        private static long residentMegabytes() throws IOException {
            try (Scanner pages = new Scanner(Path.of("/proc/self/statm"), StandardCharsets.US_ASCII)) {
                pages.nextLong();
                return (pages.nextLong() * 4096) >> 20;
            }
        }
    }

    private static long[] ask(ForkedJvm relay) throws IOException {
        try (Scanner words = new Scanner(relay.ask())) {
            return new long[] {words.nextLong(), words.nextLong(), words.nextLong()};
        }
    }

    /** Open connections, CPU time of a second in milliseconds, resident megabytes. */
    private static long[] second(ForkedJvm relay, int most) throws IOException {
        long before = ask(relay)[1];
        long begun = System.nanoTime();
        RelayStage.await("time", () -> System.nanoTime() - begun > 1_000_000_000L);
        long[] after = ask(relay);
        after[1] -= before;
        System.out.println(most + " idle clients: " + after[1] + " ms CPU in a second, " + after[2] + " MB resident");
        return after;
    }

    private static Socket connect(int port) throws IOException {
        Socket socket = new Socket();
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), RelayStage.PATIENCE_MILLIS);
        socket.setSoTimeout(RelayStage.PATIENCE_MILLIS);
        return socket;
    }

    private static void exchange(Socket socket, int what) throws IOException {
        socket.getOutputStream().write(what);
        assertThat(socket.getInputStream().read()).isEqualTo(what);
    }

    @Test
    void idleClients_areKept_andCostNothing() throws Exception {
        int most = most();
        assumeTrue(most > 1000, "skipped: too few file descriptors for a crowd");
        List<Socket> clients = new ArrayList<>();
        try (ForkedJvm production = ForkedJvm.start(Echo.class);
                ForkedJvm relay = ForkedJvm.start(Program.class, production.ready)) {
            int port = Integer.parseInt(relay.ready);
            for (int n = 0; n < most; n++) {
                clients.add(connect(port));
                exchange(clients.get(n), n & 0xff);
            }
            long[] idle = second(relay, most);
            // What the compiler still has to do takes the first seconds' time; what clients cost, that of each.
            for (int more = 0; more < 10 && idle[1] >= 300; more++) {
                idle = second(relay, most);
            }
            assertThat(idle[0]).isEqualTo(most);
            assertThat(idle[1]).as("CPU ms in an idle second").isLessThan(300);
            assertThat(idle[2]).as("resident MB").isLessThan(350);
            for (int n = 0; n < most; n += 97) {
                exchange(clients.get(n), n & 0xff);
            }
        } finally {
            for (Socket client : clients) {
                client.close();
            }
        }
    }

    @Test
    void stormOfShortConnections_isServedToTheLast() throws Exception {
        try (ForkedJvm production = ForkedJvm.start(Echo.class);
                ForkedJvm relay = ForkedJvm.start(Program.class, production.ready)) {
            int port = Integer.parseInt(relay.ready);
            AtomicInteger next = new AtomicInteger();
            List<CompletableFuture<Integer>> storms = new ArrayList<>();
            for (int thread = 0; thread < 8; thread++) {
                storms.add(Bytes.async(() -> {
                    int served = 0;
                    for (int n = next.getAndIncrement(); n < CROWD; n = next.getAndIncrement()) {
                        try (Socket client = connect(port)) {
                            exchange(client, n & 0xff);
                            served++;
                        }
                    }
                    return served;
                }));
            }
            int served = 0;
            for (CompletableFuture<Integer> storm : storms) {
                served += storm.get(300, TimeUnit.SECONDS);
            }
            assertThat(served).isEqualTo(CROWD);
            RelayStage.await("all over", () -> {
                try {
                    return ask(relay)[0] == 0;
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
        }
    }

    /** A relayed client needs two descriptors of the relay's. */
    private static int most() {
        long limit =
                ((UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getMaxFileDescriptorCount();
        return (int) Math.min(CROWD, (limit - 600) / 2);
    }
}
