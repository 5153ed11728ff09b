package dev.understudy.standin.load;

import dev.understudy.standin.model.ServiceModel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Makes load by a model: requests come at their moments whatever the replies do (open loop).
 *
 * <p>A thread makes the requests and hands them over when they are due, an event loop sends them and reads the replies,
 * and the caller's thread waits.
 */
public final class LoadRun {
    private static final long START_NANOS = 20_000_000;
    private static final int LOOK_MILLIS = 10;
    private static final long PROGRESS_NANOS = 5_000_000_000L;

    private final LoadPlan plan;
    private final RequestBacklog backlog;
    private final LoadMeter meter;
    private final LoadConnections connections;
    private final LoadPacer pacer;
    private final EventLoop loop;

    private LoadRun(LoadPlan plan, InetSocketAddress address, EventLoop loop) {
        SplittableRandom random = new SplittableRandom(plan.options().seed());
        this.plan = plan;
        this.loop = loop;
        this.backlog = new RequestBacklog(plan.options().queue(), plan.makers().size());
        this.meter = new LoadMeter(plan.makers().size());
        this.connections = new LoadConnections(plan, address, loop, backlog, meter, random.split());
        this.pacer = new LoadPacer(plan, backlog, connections, random);
    }

    /**
     * Makes load, and waits until the last request has a reply or an error.
     *
     * @throws IllegalArgumentException with each of the model's routes that can't be made
     * @throws IOException if the target can't be reached
     */
    public static LoadResult run(ServiceModel model, LoadOptions options) throws IOException, InterruptedException {
        return run(model, options, () -> false, soFar -> {});
    }

    /**
     * The same, for somebody who watches.
     *
     * @param stopped asked often; once it is true the run ends at once, and has what was measured by then
     * @param progress told every 5 s what was measured so far; on the caller's thread
     * @throws IllegalArgumentException with each of the model's routes that can't be made
     * @throws IOException if the target can't be reached
     */
    public static LoadResult run(
            ServiceModel model, LoadOptions options, BooleanSupplier stopped, Consumer<LoadResult> progress)
            throws IOException, InterruptedException {
        LoadPlan plan = LoadPlan.of(model, options);
        LoadTarget target = options.target();
        InetSocketAddress address = new InetSocketAddress(target.host(), target.port());
        if (address.isUnresolved()) {
            throw new IOException(target + ": no such host (expected: the name of a host, or an address)");
        }
        EventLoopGroup thread =
                new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory("load", true), NioIoHandler.newFactory());
        try {
            LoadRun run = new LoadRun(plan, address, thread.next());
            run.reach(target);
            LoadWarmUp.run(plan, address, run.loop);
            return run.await(stopped, progress);
        } catch (ExecutionException failed) {
            throw new IllegalStateException(failed.getCause());
        } finally {
            thread.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(2, TimeUnit.SECONDS);
        }
    }

    /** Opens the first connection. */
    private void reach(LoadTarget target) throws IOException, InterruptedException, ExecutionException {
        ChannelFuture first = loop.submit(connections::connect).get().await();
        if (!first.isSuccess()) {
            throw new IOException("can't connect to " + target + ": "
                    + first.cause().getMessage() + " (expected: a server that listens there)");
        }
    }

    private LoadResult await(BooleanSupplier stopped, Consumer<LoadResult> progress)
            throws InterruptedException, ExecutionException {
        FutureTask<?> pacing = start();
        try {
            long told = System.nanoTime();
            while (!isOver(pacing)) {
                if (stopped.getAsBoolean()) {
                    return result(false);
                }
                if (System.nanoTime() - told > PROGRESS_NANOS) {
                    told += PROGRESS_NANOS;
                    progress.accept(result(false));
                }
            }
            return result(true);
        } finally {
            pacer.stop();
        }
    }

    private FutureTask<?> start() throws InterruptedException, ExecutionException {
        long start = System.nanoTime() + START_NANOS;
        loop.submit(() -> meter.startAt(start)).get();
        connections.sweepAlways();
        pacer.startAt(start);
        FutureTask<?> pacing = new FutureTask<>(Executors.callable(pacer));
        Thread thread = new Thread(pacing, "load-pace");
        thread.setDaemon(true);
        thread.start();
        return pacing;
    }

    /** Whether all is done; waits a little if not. */
    private boolean isOver(FutureTask<?> pacing) throws InterruptedException, ExecutionException {
        try {
            pacing.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException notYet) {
            return false;
        }
        boolean over = meter.settled() == backlog.accepted();
        if (!over) {
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
        return over;
    }

    private LoadResult result(boolean over) throws InterruptedException, ExecutionException {
        return loop.submit(() -> meter.result(plan, backlog, over)).get();
    }
}
