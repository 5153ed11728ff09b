package dev.understudy.agent.fork;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.netty.util.concurrent.DefaultEventExecutor;
import io.netty.util.concurrent.EventExecutor;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jboss.threads.EnhancedQueueExecutor;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * The application in a forked JVM: an HTTP server whose work is done by other threads, each path in a way of its own.
 */
public final class TaskServer {
    private static final ExecutorService POOL = Executors.newFixedThreadPool(2);
    private static final ScheduledExecutorService CLOCK = Executors.newScheduledThreadPool(1);
    private static final ThreadPoolExecutor SORTED =
            new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new PriorityBlockingQueue<>());
    private static final ExecutorService HOOKED = new Hooked();
    private static final ExecutorService TOMCATS = new org.apache.tomcat.util.threads.ThreadPoolExecutor(
            1, 1, 1, TimeUnit.MINUTES, new LinkedBlockingQueue<>());
    private static final ExecutorService JBOSSES = new EnhancedQueueExecutor.Builder()
            .setCorePoolSize(1)
            .setMaximumPoolSize(1)
            .build();
    private static final ExecutorService STUCK = Executors.newFixedThreadPool(1);
    private static final EventExecutor LOOP = new DefaultEventExecutor();
    private static final Timer TIMER = new Timer(true);
    private static final BlockingQueue<Job> PREPARING = new LinkedBlockingQueue<>();
    private static final BlockingQueue<Job> FINISHING = new ArrayBlockingQueue<>(100);
    private static final TaskBatch BATCH = new TaskBatch();
    private static final CountDownLatch NEVER = new CountDownLatch(1);

    private TaskServer() {}

    public static void main(String[] arguments) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", TaskServer::handle);
        server.setExecutor(Executors.newFixedThreadPool(2));
        inLoop(PREPARING, Job::prepare);
        inLoop(FINISHING, Job::finish);
        server.start();
        System.out.println("port " + server.getAddress().getPort());
    }

    private static void handle(HttpExchange exchange) throws IOException {
        byte[] body;
        try {
            body = answer(exchange.getRequestURI().getPath().substring(1)).getBytes(StandardCharsets.UTF_8);
        } catch (InterruptedException | ExecutionException | ReflectiveOperationException problem) {
            throw new IOException(problem);
        }
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    @SuppressWarnings("StatementSwitchToExpressionSwitch")
    private static String answer(String way)
            throws InterruptedException, ExecutionException, ReflectiveOperationException {
        boolean virtually = Runtime.version().feature() >= 21;
        switch (way) {
            case "executor":
                return POOL.submit(() -> inExecutor(way)).get();
            case "hooked":
                return HOOKED.submit(() -> inHooked(way)).get();
            case "tomcats":
                return TOMCATS.submit(() -> inTomcats(way)).get();
            case "jbosses":
                return JBOSSES.submit(() -> inJbosses(way)).get();
            case "scheduled":
                return CLOCK.schedule(() -> onTime(way), 2, TimeUnit.MILLISECONDS)
                        .get();
            case "async":
                return CompletableFuture.supplyAsync(() -> inFuture(way), POOL)
                        .thenApplyAsync(TaskServer::inCommonPool)
                        .get();
            case "stages":
                return completedElsewhere(way).get();
            case "parallel":
                return IntStream.range(0, 100)
                        .parallel()
                        .mapToObj(i -> inParallel(way))
                        .reduce("", (a, b) -> b);
            case "virtual":
                return onVirtualThread(() -> virtually(way)).get();
            case "forth":
                return virtually ? onVirtualThread(() -> TaskLocks.forth(way)).get() : TaskLocks.forth(way);
            case "back":
                return virtually ? onVirtualThread(() -> TaskLocks.back(way)).get() : TaskLocks.back(way);
            case "contended":
                return TaskLocks.contended(way);
            case "reactor":
                return Mono.fromCallable(() -> inReactor(way))
                        .subscribeOn(Schedulers.boundedElastic())
                        .publishOn(Schedulers.parallel())
                        .map(TaskServer::publishedOn)
                        .toFuture()
                        .get();
            case "thread":
                return onOwnThread(way).get();
            case "timer":
                return onTimer(way).get();
            case "queue":
                return inTwoQueues(way).get();
            case "batch":
                return BATCH.written(way).get();
            case "loop":
                return LOOP.submit(() -> onLoop(way)).get();
            case "loopLater":
                return LOOP.schedule(() -> onLoopLater(way), 2, TimeUnit.MILLISECONDS)
                        .get();
            case "sorted":
                return sorted(way);
            case "never":
                return never();
            default:
                return "unknown";
        }
    }

    static String inExecutor(String way) {
        return "by " + way;
    }

    static String inHooked(String way) {
        return "by " + way;
    }

    static String inTomcats(String way) {
        return "by " + way;
    }

    static String inJbosses(String way) {
        return "by " + way;
    }

    static String onTime(String way) {
        return "by " + way;
    }

    static String inFuture(String way) {
        return "by " + way;
    }

    static String inStage(String way) {
        return "by " + way;
    }

    static String inParallel(String way) {
        return "by " + way;
    }

    static String virtually(String way) {
        return "by " + way;
    }

    static String written(String way) {
        return "by " + way;
    }

    static String inOrder(String way) {
        return "by " + way;
    }

    static String onItsOwn(String way) {
        return "by " + way;
    }

    static String onLoop(String way) {
        return "by " + way;
    }

    static String onLoopLater(String way) {
        return "by " + way;
    }

    static String byTimer(String way) {
        return "by " + way;
    }

    static String prepared(String way) {
        return "by " + way;
    }

    static String finished(String word) {
        return word + " twice";
    }

    static String inReactor(String way) {
        return "by " + way;
    }

    static String publishedOn(String word) {
        return word + " twice";
    }

    static String inCommonPool(String word) {
        return word + " twice";
    }

    static String inNextStage(String word) {
        return word + " twice";
    }

    /** By a thread that knows nothing of the request. */
    private static CompletableFuture<String> completedElsewhere(String way) throws InterruptedException {
        CompletableFuture<String> first = new CompletableFuture<>();
        CompletableFuture<String> last = first.thenApply(TaskServer::inStage).thenApply(TaskServer::inNextStage);
        Thread other = new Thread(() -> first.complete(way));
        other.start();
        other.join();
        return last;
    }

    /** On a virtual thread where the JVM has them. */
    private static Future<String> onVirtualThread(Supplier<String> work) throws ReflectiveOperationException {
        CompletableFuture<String> done = new CompletableFuture<>();
        Runnable task = () -> done.complete(work.get());
        Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, task);
        return done;
    }

    private static CompletableFuture<String> onOwnThread(String way) {
        CompletableFuture<String> done = new CompletableFuture<>();
        new Thread(() -> done.complete(onItsOwn(way))).start();
        return done;
    }

    private static CompletableFuture<String> onTimer(String way) {
        CompletableFuture<String> done = new CompletableFuture<>();
        TIMER.schedule(
                new TimerTask() {
                    @Override
                    public void run() {
                        done.complete(byTimer(way));
                    }
                },
                2);
        return done;
    }

    /** Through the queues of two threads that were there before. */
    private static CompletableFuture<String> inTwoQueues(String way) {
        Job job = new Job(way);
        PREPARING.add(job);
        return job.done;
    }

    private static void inLoop(BlockingQueue<Job> queue, Consumer<Job> work) {
        Thread loop = new Thread(() -> {
            try {
                while (true) {
                    work.accept(queue.take());
                }
            } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
            }
        });
        loop.setDaemon(true);
        loop.start();
    }

    /** What an executor's queue holds must be what was put there: here it is compared. */
    private static String sorted(String way) throws InterruptedException {
        CountDownLatch done = new CountDownLatch(3);
        Urgent[] urgent = new Urgent[3];
        for (int i = 0; i < urgent.length; i++) {
            urgent[i] = new Urgent(i, done);
            SORTED.execute(urgent[i]);
        }
        Urgent unwanted = new Urgent(9, new CountDownLatch(1));
        SORTED.execute(unwanted);
        SORTED.remove(unwanted);
        done.await();
        return "by " + way;
    }

    /** A hundred tasks behind one that doesn't end. */
    private static String never() {
        STUCK.execute(() -> {
            try {
                NEVER.await();
            } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
            }
        });
        for (int i = 0; i < 100; i++) {
            STUCK.execute(new Urgent(i, NEVER));
        }
        return "never";
    }

    /** A pool that does something before each task, and nothing else. */
    private static final class Hooked extends ThreadPoolExecutor {
        Hooked() {
            super(1, 1, 1, TimeUnit.MINUTES, new LinkedBlockingQueue<>());
        }

        @Override
        protected void beforeExecute(Thread worker, Runnable task) {
            worker.setName("hooked");
        }
    }

    /** What one thread prepares and the next finishes. */
    private static final class Job {
        private final String way;
        private final CompletableFuture<String> done = new CompletableFuture<>();
        private String word = "";

        Job(String way) {
            this.way = way;
        }

        void prepare() {
            word = prepared(way);
            FINISHING.add(this);
        }

        void finish() {
            done.complete(finished(word));
        }
    }

    /** A task with an order. */
    private static final class Urgent implements Runnable, Comparable<Urgent> {
        private final int rank;
        private final CountDownLatch done;

        Urgent(int rank, CountDownLatch done) {
            this.rank = rank;
            this.done = done;
        }

        @Override
        public void run() {
            inOrder("rank " + rank);
            done.countDown();
        }

        @Override
        public int compareTo(Urgent other) {
            return Integer.compare(rank, other.rank);
        }
    }
}
