package dev.understudy.agent.carry;

import dev.understudy.agent.weave.MethodEdit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The places in the JDK's executors where tasks are handed over and where they run: by class, method and descriptor.
 */
final class CarryPoint {
    /** What a pool's thread calls before each task; the last argument is the task. */
    static final String BEFORE = "beforeExecute(Ljava/lang/Thread;Ljava/lang/Runnable;)V";

    private static final String TASK = "(Ljava/lang/Runnable;)V";
    private static final String CONCURRENT = "java/util/concurrent/";
    private static final String FUTURE = CONCURRENT + "CompletableFuture$";
    private static final String FIRE = "tryFire(I)Ljava/util/concurrent/CompletableFuture;";
    /** What runs a function of the application's once another future is completed. */
    private static final List<String> STAGES = List.of(
            "UniApply",
            "UniAccept",
            "UniRun",
            "UniWhenComplete",
            "UniHandle",
            "UniExceptionally",
            "UniComposeExceptionally",
            "UniCompose",
            "BiApply",
            "BiAccept",
            "BiRun",
            "OrApply",
            "OrAccept",
            "OrRun");

    private static final Map<String, Map<String, MethodEdit>> ALL = all();

    private CarryPoint() {}

    /** What is changed in a class, named with slashes. */
    static Map<String, MethodEdit> of(String className) {
        return ALL.getOrDefault(className, Map.of());
    }

    /** The classes, with slashes. */
    static Set<String> classes() {
        return ALL.keySet();
    }

    /**
     * What is changed in a pool that is written as the JDK's. Its threads stay in {@code runWorker} as long as they
     * live: those that are there before the agent run its old code, but what that calls for each task is the new one.
     *
     * @param accept the method that takes a task
     */
    static Map<String, MethodEdit> pool(String className, String accept) {
        return Map.of(
                accept + TASK,
                Told.atEntry("handed", 1),
                "reject" + TASK,
                Told.atEntry("refused", 1),
                BEFORE,
                Told.atEntry("before", 2),
                "getTask()Ljava/lang/Runnable;",
                Told.atEntry("idle", 0),
                "processWorkerExit(L" + className + "$Worker;Z)V",
                Told.atEntry("idle", 0),
                "runWorker(L" + className + "$Worker;)V",
                Redirected.toRun());
    }

    private static Map<String, Map<String, MethodEdit>> all() {
        Map<String, Map<String, MethodEdit>> all = new HashMap<>();
        all.put(CONCURRENT + "ThreadPoolExecutor", pool(CONCURRENT + "ThreadPoolExecutor", "execute"));
        all.put(CONCURRENT + "ThreadPoolExecutor$Worker", Map.of("run()V", Told.atEntry("pooled", 0)));
        all.put(
                CONCURRENT + "ScheduledThreadPoolExecutor",
                Map.of("delayedExecute(Ljava/util/concurrent/RunnableScheduledFuture;)V", Told.atEntry("handed", 1)));
        Map<String, MethodEdit> task = new HashMap<>();
        task.put("<init>()V", Told.beforeReturn(TaskBracket.HANDOVER, "made", 0));
        // it returns nothing in later versions
        for (String returned : List.of("I", "V")) {
            task.put("doExec()" + returned, MethodEdit.around(TaskBracket.EXECUTE));
        }
        all.put(CONCURRENT + "ForkJoinTask", task);
        for (String stage : STAGES) {
            all.put(FUTURE + stage, Map.of(FIRE, MethodEdit.around(TaskBracket.FIRE)));
        }
        all.put(
                "java/lang/VirtualThread",
                Map.of(
                        "start(Ljdk/internal/vm/ThreadContainer;)V", Told.atEntry("handed", 0),
                        "run(Ljava/lang/Runnable;)V", Redirected.toStarted()));
        all.put(
                "java/lang/Thread",
                Map.of(
                        "start()V", Told.atEntry("handed", 0),
                        "start(Ljdk/internal/vm/ThreadContainer;)V", Told.atEntry("handed", 0),
                        "run()V", MethodEdit.around(TaskBracket.LAUNCH),
                        "exit()V", Told.atEntry("pooled", 0)));
        all.put("java/util/Timer", Map.of("sched(Ljava/util/TimerTask;JJ)V", Told.atEntry("handed", 1)));
        all.put("java/util/TimerThread", Map.of("mainLoop()V", Redirected.toRun()));
        all.put(
                "java/util/TaskQueue",
                Map.of(
                        "removeMin()V", Told.ofFirst(),
                        "rescheduleMin(J)V", Told.ofFirst(),
                        "isEmpty()Z", Told.atEntry("idle", 0)));
        all.putAll(QueuePoint.all());
        return all;
    }
}
