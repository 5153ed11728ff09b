package dev.understudy.agent.weave;

import dev.understudy.agent.bootstrap.ExchangeTraffic;
import dev.understudy.agent.bootstrap.Observed;
import dev.understudy.agent.bootstrap.ObservedPredicate;
import dev.understudy.agent.branch.BranchDirectory;
import dev.understudy.agent.branch.LockPlace;
import dev.understudy.agent.branch.SecondLevel;
import dev.understudy.agent.cache.WovenCache;
import dev.understudy.agent.lock.LockSites;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A {@link Bank} that tells of its locks, and what it tells. */
final class WovenBank {
    /** Numbers are the JVM's, so all tests share them. */
    static final BranchDirectory DIRECTORY = new BranchDirectory();

    private static final List<String> KINDS = List.of(
            "at once", "waited", "waited ten", "waited hundred", "held shortly", "held", "held ten", "held hundred");
    private static final int HELD = KINDS.indexOf("held shortly");

    final Class<?> type = loaded(new SecondLevel(new BranchDirectory()));

    WovenBank() throws ClassNotFoundException {}

    static Class<?> loaded(SecondLevel level) throws ClassNotFoundException {
        return loaded(Bank.class, level);
    }

    static Class<?> loaded(Class<?> plain, SecondLevel level) throws ClassNotFoundException {
        return new WovenLoader(one -> one.equals(plain.getName()), weaver(level)).loadClass(plain.getName());
    }

    static Weaver weaver(SecondLevel level) {
        return new Weaver(WovenLoader.DIRECTORY, WovenCache.none(), false, level, new LockSites(DIRECTORY));
    }

    Object bank() throws ReflectiveOperationException {
        return type.getConstructor().newInstance();
    }

    static Object get(Object bank, String name) throws ReflectiveOperationException {
        return bank.getClass().getMethod(name).invoke(bank);
    }

    static Object called(Object bank, String method, int amount) throws ReflectiveOperationException {
        return bank.getClass().getMethod(method, int.class).invoke(bank, amount);
    }

    static List<String> told(Object bank, String method, int amount) throws Exception {
        return told(() -> called(bank, method, amount));
    }

    /** What is told of waiting. */
    static List<String> told(Callable<?> work) throws Exception {
        return told(ExchangeTraffic.of(work), 0, HELD);
    }

    /** What is told of holding. */
    static List<String> held(Callable<?> work) throws Exception {
        return told(ExchangeTraffic.of(work), HELD, KINDS.size());
    }

    /**
     * The same, if it is told of no longer time: a thread that loses its core holds its locks for longer; sooner or
     * later it doesn't.
     */
    static List<String> heldUpTo(String longest, Callable<?> work) throws Exception {
        List<String> told = held(work);
        for (int i = 0; i < 1_000 && told.stream().anyMatch(one -> isLonger(one, longest)); i++) {
            told = held(work);
        }
        return told;
    }

    /** Work that takes so long. */
    static Callable<Object> slow(int millis) {
        return () -> {
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
            while (System.nanoTime() - end < 0) {
                LockSupport.parkNanos(end - System.nanoTime());
            }
            return "done";
        };
    }

    private static List<String> told(Observed observed, int from, int to) {
        List<String> told = new ArrayList<>();
        for (int predicate : observed.predicates()) {
            int number = predicate / ObservedPredicate.KINDS - ObservedPredicate.BRANCHES;
            int kind = predicate % ObservedPredicate.KINDS;
            if (kind >= from && kind < to && number >= 0 && DIRECTORY.site(number) instanceof LockPlace) {
                LockPlace place = (LockPlace) DIRECTORY.site(number);
                told.add(place.method() + ' ' + place.lock() + ' ' + KINDS.get(kind));
            }
        }
        return told;
    }

    /** Whether it is told of holding for longer than that kind. */
    private static boolean isLonger(String told, String kind) {
        return KINDS.stream().skip(KINDS.indexOf(kind) + 1).anyMatch(one -> told.endsWith(' ' + one));
    }

    /** That kind of holding, and what it includes. */
    static String[] all(String place, String kind) {
        return KINDS.subList(HELD + 1, KINDS.indexOf(kind) + 1).stream()
                .map(one -> place + ' ' + one)
                .toArray(String[]::new);
    }
}
