package dev.understudy.agent.lock;

import dev.understudy.agent.branch.BranchDirectory;
import dev.understudy.agent.classfile.ClassFile;
import dev.understudy.agent.classfile.ModifiedUtf8;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import net.bytebuddy.jar.asm.MethodVisitor;

/**
 * Weaves what tells of locks into methods that have a place-holder, and remembers which methods are synchronized. For
 * any threads.
 *
 * <p>A call is told of if some woven class has a synchronized method of that name and descriptor; what is woven before
 * that class lacks it until it is woven again, also in later runs if it is kept.
 */
public final class LockSites {
    /** What telling adds to a method's code at most. */
    public static final int BYTES = LockVisitor.BYTES;

    private static final byte[] JUC = JdkLocks.PACKAGE.getBytes(StandardCharsets.US_ASCII);
    private static final int MOST_METHODS = 1 << 14;

    private final BranchDirectory directory;
    private final Set<String> methods = ConcurrentHashMap.newKeySet();
    /** Their names without descriptors, and that of what waits for a monitor. */
    private final Set<String> names = ConcurrentHashMap.newKeySet();
    /** By their sketches, by which most calls are told apart from them at less cost. */
    private final boolean[] sketches = new boolean[ModifiedUtf8.SKETCHES];

    /** Sites that take their numbers from {@code directory}. */
    public LockSites(BranchDirectory directory) {
        this.directory = directory;
        isNamed("wait");
    }

    /** These methods are synchronized: names with descriptors. */
    public void areSynchronized(Collection<String> named) {
        if (methods.size() < MOST_METHODS) {
            for (String method : named) {
                methods.add(method);
                isNamed(method.substring(0, method.indexOf('(')));
            }
        }
    }

    private void isNamed(String method) {
        if (names.add(method)) {
            sketches[ModifiedUtf8.sketch(method)] = true;
        }
    }

    /** Whether something may have to be told where the method is called that a constant names. */
    public boolean concerns(ClassFile file, int constant) {
        return (sketches[file.memberSketch(constant)] && names.contains(file.memberName(constant)))
                || file.ownerBegins(constant, JUC);
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
