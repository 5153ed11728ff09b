package dev.understudy.agent.request;

import dev.understudy.agent.bootstrap.ServedExchange;
import dev.understudy.agent.bootstrap.ServedExchanges;
import dev.understudy.agent.bootstrap.Serving;
import dev.understudy.agent.fork.NativeTransports;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.uring.IoUringServerSocketChannel;
import java.lang.reflect.Method;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Netty's own sockets, also those of systems that this isn't one of: as class files that are woven, verified and, as
 * far as they run, called.
 */
final class NettySocketsIT {
    private static final String ACCEPTED = "accepted(Ljava/lang/Object;[BII)V";
    private static final String HEARD_OF = "accepted(Ljava/lang/Object;Ljava/net/SocketAddress;)V";
    private static final String READING = "reading(Ljava/lang/Object;)Ljava/lang/Object;";
    private static final String READ = "read(ILjava/lang/Object;)V";
    private static final String ARRIVED = "arrived(Ljava/lang/Object;I)V";
    private static final String WRITING = "writing(Ljava/lang/Object;)Ljava/lang/Object;";
    private static final String KQUEUE = "netty-transport-classes-kqueue";

    static Stream<Arguments> transports() throws URISyntaxException {
        Stream<Object[]> all = Stream.of(
                new Object[] {of(EpollServerSocketChannel.class), calls("channel.epoll.", "Epoll")},
                new Object[] {NativeTransports.jar(KQUEUE), calls("channel.kqueue.", "KQueue")},
                new Object[] {of(IoUringServerSocketChannel.class), heard("channel.uring.", "IoUring")},
                new Object[] {
                    NativeTransports.jar("netty-incubator-transport-classes-io_uring"),
                    heard("incubator.channel.uring.", "IOUring")
                });
        return all.flatMap(one -> Stream.of("", "com.shop.").map(below -> Arguments.of(one[0], below, one[1])));
    }

    private static Map<String, String> calls(String packages, String name) {
        return Map.of(
                packages + name + "ServerSocketChannel.newChildChannel", ACCEPTED,
                packages + "Abstract" + name + "Channel.doReadBytes", READING + READ,
                packages + "Abstract" + name + "StreamChannel.doWrite", WRITING);
    }

    private static Map<String, String> heard(String packages, String name) {
        String unsafe = "Abstract" + name + "StreamChannel$" + name + "StreamUnsafe";
        return Map.of(
                packages + name + "ServerSocketChannel.newChildChannel", HEARD_OF,
                packages + unsafe + ".readComplete0", ARRIVED,
                packages + "Abstract" + name + "Channel.doWrite", WRITING);
    }

    /** Whoever has Netty below packages of its own has the same. */
    @ParameterizedTest
    @MethodSource("transports")
    void aTransport_isWovenWhereItAcceptsReadsAndWrites_andVerified(
            Path jar, String below, Map<String, String> expected) throws Exception {
        WovenNetty netty = new WovenNetty(jar, below);

        netty.linkAll();

        assertThat(netty.calls()).isEqualTo(expected);
    }

    /** As kqueue would, whose native code is nowhere but on macOS and BSD: here each native method answers 3. */
    @ParameterizedTest
    @ValueSource(strings = {"", "com.shop."})
    void whatKqueueAcceptsReadsAndWrites_isAnExchange(String below) throws Exception {
        WovenNetty netty = new WovenNetty(NativeTransports.jar(KQUEUE), below);
        netty.quiet();
        byte[] address = {0, 127, 0, 0, 1, 0, 0, 0x12, 0x34};
        Class<?> server = netty.loadClass(below + "io.netty.channel.kqueue.KQueueServerSocketChannel");
        Object channel = method(server, "newChildChannel", int.class, byte[].class, int.class, int.class)
                .invoke(server.getConstructor().newInstance(), 5, address, 1, 8);
        Class<?> buffer = netty.loadClass(below + "io.netty.buffer.ByteBuf");
        Object bytes = netty.loadClass(below + "io.netty.buffer.Unpooled")
                .getMethod("directBuffer", int.class)
                .invoke(null, 10);
        Object unsafe = method(channel.getClass(), "unsafe").invoke(channel);
        Object handle = method(unsafe.getClass(), "recvBufAllocHandle").invoke(unsafe);
        assertThat(handle).isNotNull();
        Serving.watch();
        long begun = ServedExchanges.begun();

        Method read = method(channel.getClass(), "doReadBytes", buffer);
        assertThat(read.invoke(channel, bytes)).isEqualTo(3);
        assertThat(served()).isNotNull().satisfies(exchange -> {
            assertThat(exchange.key().port()).isEqualTo(0x1234);
            assertThat(exchange.key().from()).isZero();
        });
        Object waiting = method(unsafe.getClass(), "outboundBuffer").invoke(unsafe);
        method(channel.getClass(), "doWrite", waiting.getClass()).invoke(channel, waiting);
        assertThat(read.invoke(channel, bytes)).isEqualTo(3);
        assertThat(served())
                .isNotNull()
                .satisfies(exchange -> assertThat(exchange.key().from()).isEqualTo(3));

        assertThat(ServedExchanges.begun()).isEqualTo(begun + 2);
    }

    private static @Nullable ServedExchange served() {
        @Nullable ServedExchange[] found = new ServedExchange[Serving.PLACES];
        int count = Serving.now(found, 0);
        return Stream.of(found)
                .limit(count)
                .filter(exchange -> exchange != null && exchange.thread() == Thread.currentThread())
                .findFirst()
                .orElse(null);
    }

    /** Of the class or of one above it. */
    private static Method method(Class<?> type, String name, Class<?>... arguments) throws NoSuchMethodException {
        for (Class<?> above = type; above != null; above = above.getSuperclass()) {
            try {
                Method found = above.getDeclaredMethod(name, arguments);
                found.setAccessible(true);
                return found;
            } catch (NoSuchMethodException higher) {
                // or there is none
            }
        }
        throw new NoSuchMethodException(type + " " + name);
    }

    private static Path of(Class<?> member) throws URISyntaxException {
        return Path.of(
                member.getProtectionDomain().getCodeSource().getLocation().toURI());
    }
}
