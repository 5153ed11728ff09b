package dev.understudy.relay.loop;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.understudy.relay.connect.Names;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The threads of a process, in groups that never do each other's work.
 *
 * <p>The relay group serves clients and production and nothing else; the lane group serves everything about the debug
 * side; the control group serves operators. Names are looked up on a thread for each of relay and lanes, so that a slow
 * name server holds up no event loop, and the debug JVM's name never production's.
 */
public final class EventLoops implements AutoCloseable {
    /** The most that is read from a socket at once, in bytes. */
    public static final int LARGEST_READ = 256 * 1024;

    private static final String CACHED_CAPACITY = "io.netty.allocator.maxCachedBufferCapacity";

    private static final int MOST_DEBUG_SOCKETS = 20_000;

    private final Transport transport;
    private final PooledByteBufAllocator allocator;
    private final EventLoopGroup relay;
    private final EventLoopGroup lanes;
    private final Map<EventLoop, Inbox> inboxes = new HashMap<>();
    private final EventLoopGroup control;
    private final DebugSockets debugSockets;
    private final NameLookup relayNames = new NameLookup("relay-names");
    private final NameLookup laneNames = new NameLookup("lane-names");
    private final ThreadPoolExecutor handshakes = handshakeThreads("tls");
    private final ThreadPoolExecutor laneHandshakes = handshakeThreads("lane-tls");
    private final AtomicLong connections = new AtomicLong();
    private final Set<SocketAddress> outgoing = ConcurrentHashMap.newKeySet();

    /** On a transport of choice. */
    public EventLoops(Transport transport, int relayThreads, int laneThreads) {
        this(transport, relayThreads, laneThreads, debugSocketLimit());
    }

    /** On a transport of choice, with at most {@code debugSocketLimit} sockets towards the debug side. */
    public EventLoops(Transport transport, int relayThreads, int laneThreads, int debugSocketLimit) {
        this.transport = transport;
        this.debugSockets = new DebugSockets(debugSocketLimit);
        this.allocator = new PooledByteBufAllocator(true);
        this.relay = group("relay", relayThreads);
        this.lanes = group("lane", laneThreads);
        this.control = group("control", 1);
        lanes.forEach(loop -> inboxes.put((EventLoop) loop, new Inbox((EventLoop) loop)));
    }

    /** A quarter of the file descriptors that the process may have: a relayed connection needs two, and comes first. */
    private static int debugSocketLimit() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                ? (int) Math.max(1, Math.min(unix.getMaxFileDescriptorCount() / 4, MOST_DEBUG_SOCKETS))
                : MOST_DEBUG_SOCKETS;
    }

    /**
     * One relay thread per two processors and as many lane threads, at least one of each; with epoll where it is
     * available.
     */
    public static EventLoops open() {
        return open(Transport.best());
    }

    /** The same, on {@code wanted} if this machine has it. */
    public static EventLoops open(Transport wanted) {
        int half = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
        return open(wanted.orBest(), half, half);
    }

    /** With epoll where it is available, and as many threads as told, each at least 1. */
    public static EventLoops open(int relayThreads, int laneThreads) {
        return open(Transport.best(), relayThreads, laneThreads);
    }

    private static EventLoops open(Transport transport, int relayThreads, int laneThreads) {
        if (System.getProperty(CACHED_CAPACITY) == null) {
            // A read of up to 256 KiB is released by a lane thread; beyond Netty's default of 32 KiB that takes the
            // arena's lock each time. Netty reads the property once, before its first pooled buffer.
            System.setProperty(CACHED_CAPACITY, Integer.toString(LARGEST_READ));
        }
        return new EventLoops(transport, relayThreads, laneThreads);
    }

    /** None while there are no handshakes; each handshake has one task at most in the queue. */
    private static ThreadPoolExecutor handshakeThreads(String name) {
        int threads = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                threads,
                threads,
                10,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                new DefaultThreadFactory(name, true));
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    private EventLoopGroup group(String name, int threads) {
        return new MultiThreadIoEventLoopGroup(threads, new DefaultThreadFactory(name, true), transport.handlers());
    }

    /** What serves the sockets. */
    public Transport transport() {
        return transport;
    }

    /** Serves clients and production. */
    public EventLoopGroup relay() {
        return relay;
    }

    /** Serves everything about the debug side. */
    public EventLoopGroup lanes() {
        return lanes;
    }

    /** Serves operators. */
    public EventLoopGroup control() {
        return control;
    }

    /** The lane loop for the next lane, in turn. */
    public EventLoop nextLane() {
        return lanes.next();
    }

    /** The lane loop for the next lane, in turn, by way of its inbox. */
    public Inbox nextInbox() {
        return inbox(nextLane());
    }

    /** The inbox of {@code laneLoop}. */
    public Inbox inbox(EventLoop laneLoop) {
        return Objects.requireNonNull(inboxes.get(laneLoop));
    }

    /** The inboxes of all lane loops. */
    public Collection<Inbox> inboxes() {
        return List.copyOf(inboxes.values());
    }

    /** The pooled allocator of all sockets. */
    public ByteBufAllocator allocator() {
        return allocator;
    }

    /** The class for listening sockets on these loops. */
    public Class<? extends ServerChannel> serverChannel() {
        return transport.server;
    }

    /** A listening socket for clients, redirected ones if told so. */
    public ServerChannel listeningSocket(InetSocketAddress listen, boolean redirected) {
        return redirected ? transport.redirected(listen.getAddress()) : transport.listeningSocket();
    }

    /** The local addresses of sockets towards production whose packets may be redirected to ourselves. */
    public Set<SocketAddress> outgoing() {
        return outgoing;
    }

    /** A client on {@code loop} towards {@code address}, a looked-up address of production. */
    public Bootstrap towardsProduction(EventLoop loop, SocketAddress address) {
        if (address instanceof DomainSocketAddress) {
            return new Bootstrap()
                    .group(loop)
                    .channelFactory(transport::unixSocket)
                    .disableResolver()
                    .option(ChannelOption.ALLOCATOR, allocator)
                    .option(ChannelOption.ALLOW_HALF_CLOSURE, true);
        }
        return client(loop, relayNames);
    }

    /** Computes what TLS handshakes with debug JVMs need: theirs don't wait in one queue with production's. */
    public Executor laneHandshakes() {
        return laneHandshakes;
    }

    /** Computes what TLS handshakes with clients and production need, off the relay loops. */
    public Executor handshakes() {
        return handshakes;
    }

    /** Looks up production's names. */
    public Names names() {
        return relayNames;
    }

    /** Look-ups for the debug side, which production never waits for. */
    public Names laneNames() {
        return laneNames;
    }

    /** A client on {@code loop}, a lane loop, towards the debug JVM. */
    public Bootstrap towardsDebug(EventLoop loop) {
        return client(loop, laneNames);
    }

    /** Has what was read from the debug JVM acknowledged at once; for a lane loop, after each read. */
    public void acknowledge(Channel debug) {
        transport.acknowledge(debug);
    }

    private Bootstrap client(EventLoop loop, NameLookup names) {
        return new Bootstrap()
                .group(loop)
                .channel(transport.socket)
                .resolver(names)
                .option(ChannelOption.ALLOCATOR, allocator)
                .option(ChannelOption.ALLOW_HALF_CLOSURE, true)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.SO_KEEPALIVE, true);
    }

    /** Those that lead to the debug side, of all lanes. */
    public DebugSockets debugSockets() {
        return debugSockets;
    }

    /** A number for the next connection of this process. */
    public long nextConnection() {
        return connections.incrementAndGet();
    }

    /** Bytes of buffers that somebody still holds; 0 once everything was released. */
    public long heldBytes() {
        return allocator.pinnedDirectMemory() + allocator.pinnedHeapMemory();
    }

    /** Ends all threads, the relay's first so that the lanes hear of every end; what is still open is dropped. */
    @Override
    public void close() {
        end(relay);
        inboxes.forEach((loop, inbox) -> loop.execute(inbox::drain));
        end(lanes);
        end(control);
        handshakes.shutdownNow();
        laneHandshakes.shutdownNow();
        relayNames.close();
        laneNames.close();
    }

    private static void end(EventLoopGroup group) {
        group.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly(3, TimeUnit.SECONDS);
    }
}
