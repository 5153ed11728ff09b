package dev.understudy.agent.carry;

import dev.understudy.agent.weave.MethodEdit;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * The places in servers' own pools and event loops where tasks are handed over and where they run: those of Netty, gRPC
 * (and its calls), Jetty, Tomcat, JBoss and XNIO, under whatever package a jar that brings all it needs has put them.
 */
final class PoolPoint {
    private static final String TASK = "(Ljava/lang/Runnable;)V";
    private static final String NETTY = "io/netty/util/concurrent/";
    private static final String TOMCAT = "org/apache/tomcat/util/threads/ThreadPoolExecutor";
    private static final String JBOSS = "org/jboss/threads/EnhancedQueueExecutor";

    /** By the end of the class's name. */
    private static final Map<String, Map<String, MethodEdit>> ALL = all();

    private PoolPoint() {}

    /** What is changed in a class, named with slashes. */
    static Map<String, MethodEdit> of(String className) {
        Map<String, MethodEdit> known = ALL.get(className);
        if (known != null) {
            return known;
        }
        for (Map.Entry<String, Map<String, MethodEdit>> entry : ALL.entrySet()) {
            int prefix = className.length() - entry.getKey().length();
            if (prefix > 0 && className.charAt(prefix - 1) == '/' && className.endsWith(entry.getKey())) {
                return below(className.substring(0, prefix), entry.getValue());
            }
        }
        return Map.of();
    }

    /** The classes, with slashes. */
    static Set<String> classes() {
        return ALL.keySet();
    }

    private static Map<String, MethodEdit> below(String prefix, Map<String, MethodEdit> edits) {
        Map<String, MethodEdit> moved = new HashMap<>();
        edits.forEach((method, edit) ->
                moved.put(method.replace("Lio/", "L" + prefix + "io/").replace("Lorg/", "L" + prefix + "org/"), edit));
        return moved;
    }

    private static Map<String, Map<String, MethodEdit>> all() {
        Map<String, Map<String, MethodEdit>> all = new HashMap<>();
        all.put(NETTY + "SingleThreadEventExecutor", Map.of("addTask" + TASK, Told.atEntry("handed", 1)));
        all.put(
                NETTY + "AbstractScheduledEventExecutor",
                Map.of("scheduleFromEventLoop(L" + NETTY + "ScheduledFutureTask;)V", Told.atEntry("handed", 1)));
        all.put(
                NETTY + "AbstractEventExecutor",
                Map.of("safeExecute" + TASK, Redirected.toRun(), "runTask" + TASK, Redirected.toRun()));
        all.put(NETTY + "DefaultEventExecutor", Map.of("run()V", Redirected.toRun()));
        all.put(
                "io/grpc/internal/SerializingExecutor",
                Map.of("execute" + TASK, Told.atEntry("handed", 1), "run()V", Redirected.toRun()));
        all.putAll(CallBracket.all());
        all.put(
                "org/eclipse/jetty/util/thread/QueuedThreadPool",
                Map.of("execute" + TASK, Told.atEntry("handed", 1), "runJob" + TASK, Redirected.toRun()));
        all.put(TOMCAT, CarryPoint.pool(TOMCAT, "executeInternal"));
        all.put(TOMCAT + "$Worker", Map.of("run()V", Told.atEntry("pooled", 0)));
        Map<String, MethodEdit> jboss = new HashMap<>();
        jboss.put("tryExecute(L" + JBOSS + "$Task;)I", Told.atEntry("handed", 1));
        jboss.put("tryExecute(Ljava/lang/Runnable;)I", Told.atEntry("handed", 1));
        jboss.put("runThreadBody()V", Redirected.toRun());
        all.put(JBOSS, jboss);
        all.put(JBOSS + "$ThreadBody", Map.of("run()V", Redirected.toRun()));
        all.put(JBOSS + "$Task", Map.of("run()V", MethodEdit.around(TaskBracket.OWN)));
        all.put(
                "org/xnio/nio/WorkerThread",
                Map.of("execute" + TASK, Told.atEntry("handed", 1), "safeRun" + TASK, Redirected.toRun()));
        return all;
    }
}
