package dev.understudy.agent.lock;

import dev.understudy.agent.branch.BranchDirectory;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import net.bytebuddy.jar.asm.MethodVisitor;

/**
 * Weaves what tells of locks into methods that have a place-holder, and remembers which methods are synchronized. For any threads.
 *
 * <p>A call is told of if some woven class has a synchronized method of that name and descriptor; what is woven before that class
 * lacks it until it is woven again, also in later runs if it is kept.
 */
public final class LockSites {
    /** What telling adds to a method's code at most. */
    public static final int BYTES = LockVisitor.BYTES;

    private static final int MOST_METHODS = 1 << 14;

    private final BranchDirectory directory;
    private final Set<String> methods = ConcurrentHashMap.newKeySet();
    /** Theirs without descriptors, by which most calls are told apart from them at less cost. */
    private final Set<String> names = ConcurrentHashMap.newKeySet();

    /** Sites that take their numbers from {@code directory}. */
    public LockSites(BranchDirectory directory) {
        this.directory = directory;
    }

    /** These methods are synchronized: names with descriptors. */
    public void areSynchronized(Collection<String> named) {
        if (methods.size() < MOST_METHODS) {
            for (String method : named) {
                methods.add(method);
                names.add(method.substring(0, method.indexOf('(')));
            }
        }
    }

    /** Whether something may have to be told where a method of that name is called. */
    public boolean concerns(String owner, String name) {
        return names.contains(name) || LockVisitor.concerns(owner, name);
    }

    boolean mayBeSynchronized(String method) {
        return methods.contains(method);
    }

    BranchDirectory directory() {
        return directory;
    }

    /**
     * A visitor that writes the method to {@code next}, whose place-holder keeps its token in the slot {@code token}.
     *
     * @param placed gets each place that has a number
     */
    public MethodVisitor visitor(MethodVisitor next, LockedMethod method, int token, Consumer<WovenLock> placed) {
        return LockVisitor.of(next, this, method, token, placed);
    }

    /** The number that a place has in this run, 0 if it isn't told of. */
    public int number(ClassLoader loader, String className, WovenLock place) {
        return directory.number(loader, className, place.method, place.label, place.index, place.line, place.lock);
    }
}
