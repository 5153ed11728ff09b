package dev.understudy.relay.loop;

import dev.understudy.relay.connect.Names;
import io.netty.resolver.AddressResolver;
import io.netty.resolver.AddressResolverGroup;
import io.netty.resolver.InetNameResolver;
import io.netty.util.NetUtil;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Promise;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Looks host names up with the JDK on a thread of its own, because that blocks; the JDK's cache keeps a name for 30 s.
 *
 * <p>Thread-safe. An address in digits is answered at once.
 */
final class NameLookup extends AddressResolverGroup<InetSocketAddress> implements Names {
    private static final int WAITING = 10_000;

    private final ThreadPoolExecutor thread;

    NameLookup(String name) {
        thread = new ThreadPoolExecutor(
                1, 1, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(WAITING), new DefaultThreadFactory(name, true));
        thread.allowCoreThreadTimeOut(true);
    }

    @Override
    protected AddressResolver<InetSocketAddress> newResolver(EventExecutor executor) {
        return new ByThread(executor).asAddressResolver();
    }

    @Override
    public CompletableFuture<List<InetAddress>> addresses(String host) {
        CompletableFuture<List<InetAddress>> answer = new CompletableFuture<>();
        try {
            thread.execute(() -> {
                try {
                    answer.complete(List.of(InetAddress.getAllByName(host)));
                } catch (UnknownHostException | RuntimeException e) {
                    answer.completeExceptionally(e);
                }
            });
        } catch (RejectedExecutionException e) {
            answer.completeExceptionally(tooMany());
        }
        return answer;
    }

    private static UnknownHostException tooMany() {
        return new UnknownHostException("more than " + WAITING + " names wait to be looked up");
    }

    @Override
    public void close() {
        super.close();
        thread.shutdownNow();
    }

    private final class ByThread extends InetNameResolver {
        ByThread(EventExecutor executor) {
            super(executor);
        }

        @Override
        protected void doResolve(String host, Promise<InetAddress> promise) {
            InetAddress digits = NetUtil.createInetAddressFromIpAddressString(host);
            if (digits != null) {
                promise.setSuccess(digits);
            } else {
                lookUp(() -> promise.trySuccess(InetAddress.getByName(host)), promise);
            }
        }

        @Override
        protected void doResolveAll(String host, Promise<List<InetAddress>> promise) {
            lookUp(() -> promise.trySuccess(Arrays.asList(InetAddress.getAllByName(host))), promise);
        }

        private void lookUp(Lookup lookup, Promise<?> promise) {
            try {
                thread.execute(() -> {
                    try {
                        lookup.run();
                    } catch (UnknownHostException e) {
                        promise.tryFailure(e);
                    }
                });
            } catch (RejectedExecutionException e) {
                promise.tryFailure(tooMany());
            }
        }
    }

    private interface Lookup {
        void run() throws UnknownHostException;
    }
}
