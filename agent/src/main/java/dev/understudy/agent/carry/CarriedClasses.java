package dev.understudy.agent.carry;

import dev.understudy.agent.weave.ClassNames;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the classes are called that {@link CarryPoint}, {@link PoolPoint} and {@link CoroutinePoint} change, which
 * aren't loaded before one of these is.
 */
final class CarriedClasses {
    static final String KOTLIN = "kotlinx/coroutines/";

    /**
     * What a pool is called whose threads call a method before each task that others override: the JDK's and Tomcat's.
     */
    static final String POOL = "ThreadPoolExecutor";

    /** Those of the JDK, with slashes. */
    static final Set<String> OF_JDK = Set.of(
            "java/lang/Thread",
            "java/lang/VirtualThread",
            "java/util/ArrayDeque",
            "java/util/LinkedList",
            "java/util/TaskQueue",
            "java/util/Timer",
            "java/util/TimerThread",
            "java/util/concurrent/ArrayBlockingQueue",
            "java/util/concurrent/CompletableFuture$BiAccept",
            "java/util/concurrent/CompletableFuture$BiApply",
            "java/util/concurrent/CompletableFuture$BiRun",
            "java/util/concurrent/CompletableFuture$OrAccept",
            "java/util/concurrent/CompletableFuture$OrApply",
            "java/util/concurrent/CompletableFuture$OrRun",
            "java/util/concurrent/CompletableFuture$UniAccept",
            "java/util/concurrent/CompletableFuture$UniApply",
            "java/util/concurrent/CompletableFuture$UniCompose",
            "java/util/concurrent/CompletableFuture$UniComposeExceptionally",
            "java/util/concurrent/CompletableFuture$UniExceptionally",
            "java/util/concurrent/CompletableFuture$UniHandle",
            "java/util/concurrent/CompletableFuture$UniRun",
            "java/util/concurrent/CompletableFuture$UniWhenComplete",
            "java/util/concurrent/ConcurrentLinkedDeque",
            "java/util/concurrent/ConcurrentLinkedQueue",
            "java/util/concurrent/DelayQueue",
            "java/util/concurrent/ForkJoinTask",
            "java/util/concurrent/LinkedBlockingDeque",
            "java/util/concurrent/LinkedBlockingQueue",
            "java/util/concurrent/LinkedTransferQueue",
            "java/util/concurrent/PriorityBlockingQueue",
            "java/util/concurrent/ScheduledThreadPoolExecutor",
            "java/util/concurrent/SynchronousQueue",
            "java/util/concurrent/ThreadPoolExecutor",
            "java/util/concurrent/ThreadPoolExecutor$Worker");

    /** Those of servers, without packages. */
    static final Set<String> SIMPLE = Set.of(
            "AbstractEventExecutor",
            "AbstractScheduledEventExecutor",
            "DefaultEventExecutor",
            "EnhancedQueueExecutor",
            "EnhancedQueueExecutor$Task",
            "EnhancedQueueExecutor$ThreadBody",
            "QueuedThreadPool",
            "SerializingExecutor",
            "ServerCallImpl$ServerStreamListenerImpl",
            "ServerImpl$JumpToApplicationThreadServerStreamListener",
            "ServerImpl$NoopListener",
            "ServerImpl$ServerTransportListenerImpl",
            "SingleThreadEventExecutor",
            "ThreadPoolExecutor",
            "ThreadPoolExecutor$Worker",
            "WorkerThread");

    private CarriedClasses() {}

    /** Whether a class of a loader, null for the JVM's own, may be one of them; its name has slashes. */
    static boolean mayBe(@Nullable ClassLoader loader, String className) {
        return loader == null
                ? OF_JDK.contains(className)
                : SIMPLE.contains(ClassNames.simple(className)) || className.startsWith(KOTLIN);
    }
}
