package dev.understudy.agent.carry;

import dev.understudy.agent.bootstrap.Coroutines;
import dev.understudy.agent.weave.ClassNames;
import dev.understudy.agent.weave.MethodEdit;
import java.util.HashMap;
import java.util.Map;

/**
 * The places in kotlinx.coroutines where a coroutine's function is called, where it is handed to a thread, and where it
 * goes on.
 */
final class CoroutinePoint {
    static final String COROUTINES = ClassNames.of(Coroutines.class);

    private static final String KOTLIN = CarriedClasses.KOTLIN;
    private static final String DELAYED = KOTLIN + "EventLoopImplBase";
    private static final Map<String, Map<String, MethodEdit>> ALL = all();

    private CoroutinePoint() {}

    /** What is changed in a class, named with slashes. */
    static Map<String, MethodEdit> of(String className) {
        return className.startsWith(KOTLIN) ? ALL.getOrDefault(className, Map.of()) : Map.of();
    }

    /** All of them, by class; a method that is named alone has other types in other versions. */
    static Map<String, Map<String, MethodEdit>> all() {
        Map<String, Map<String, MethodEdit>> all = new HashMap<>();
        all.put(
                KOTLIN + "internal/DispatchedContinuation",
                Map.of("<init>", Told.beforeReturn(COROUTINES, "begun", 0)));
        all.put(KOTLIN + "DispatchedTask", Map.of("run()V", MethodEdit.around(TaskBracket.RESUME)));
        all.put(
                KOTLIN + "scheduling/CoroutineScheduler",
                Map.of("dispatch", Told.atEntry(COROUTINES, "dispatched", 1)));
        all.put(KOTLIN + "scheduling/TaskImpl", Map.of("run()V", Redirected.toRun()));
        String limited = KOTLIN + "internal/LimitedDispatcher";
        all.put(
                limited,
                Map.of(
                        "dispatch", Told.atEntry(COROUTINES, "dispatched", 2),
                        "dispatchYield", Told.atEntry(COROUTINES, "dispatched", 2)));
        all.put(limited + "$Worker", Map.of("run()V", Redirected.toRunBy(COROUTINES)));
        all.put(DELAYED, Map.of("schedule", Told.atEntry("handed", 3)));
        for (String kind : new String[] {"Resume", "Runnable"}) {
            all.put(DELAYED + "$Delayed" + kind + "Task", Map.of("run()V", MethodEdit.around(TaskBracket.OWN)));
        }
        return all;
    }
}
