package dev.understudy.agent.weave;

import dev.understudy.agent.branch.BranchDirectory;
import dev.understudy.agent.branch.ClassBranches;
import dev.understudy.agent.branch.SecondLevel;
import dev.understudy.agent.cache.WovenCache;
import dev.understudy.agent.classfile.UnusualClassFile;
import dev.understudy.agent.lock.LockSites;
import java.io.IOException;
import java.util.function.BiConsumer;
import net.bytebuddy.jar.asm.ClassReader;
import org.jspecify.annotations.Nullable;

/**
 * Gives class files their place-holders: {@link Weaving} does it, unless an earlier run did and it was kept. For any
 * threads.
 *
 * <p>Where all was kept nothing of what takes class files apart is loaded.
 */
public final class Weaver {
    private final ProbeDirectory directory;
    private final WovenCache cache;
    private final SecondLevel deep;
    private final @Nullable LockSites locks;
    private final boolean clock;
    private final BiConsumer<String, Throwable> surprises;

    /** A weaver that takes its numbers from {@code directory}, and leaves the application its clock. */
    public Weaver(ProbeDirectory directory) {
        this(directory, WovenCache.none());
    }

    /** The same; what was woven in an earlier run isn't woven again but taken from {@code cache}. */
    public Weaver(ProbeDirectory directory, WovenCache cache) {
        this(directory, cache, false, new SecondLevel(new BranchDirectory()));
    }

    /**
     * The same.
     *
     * @param clock whether code of the application asks a clock that lags, also in methods that are left out otherwise;
     *     such classes aren't kept
     * @param deep the classes whose branches are woven too; they aren't kept either
     */
    public Weaver(ProbeDirectory directory, WovenCache cache, boolean clock, SecondLevel deep) {
        this(directory, cache, clock, deep, null);
    }

    /**
     * The same.
     *
     * @param locks weaves what tells of locks, or null
     */
    public Weaver(
            ProbeDirectory directory, WovenCache cache, boolean clock, SecondLevel deep, @Nullable LockSites locks) {
        this(directory, cache, clock, deep, locks, (className, surprise) -> {});
    }

    /**
     * The same.
     *
     * @param surprises gets the names of classes that have to be taken apart with no reason known: nothing else is lost
     *     by it than time
     */
    public Weaver(
            ProbeDirectory directory,
            WovenCache cache,
            boolean clock,
            SecondLevel deep,
            @Nullable LockSites locks,
            BiConsumer<String, Throwable> surprises) {
        this.directory = directory;
        this.cache = clock ? WovenCache.none() : cache;
        this.clock = clock;
        this.deep = deep;
        this.locks = locks;
        this.surprises = surprises;
    }

    /**
     * The woven class file of a class that is about to be loaded, or null if it has no method to weave (or no number is
     * left).
     *
     * @throws RuntimeException if the class file can't be read or the woven one would be too large
     */
    public byte @Nullable [] weave(ClassLoader loader, byte[] classFile) {
        return weave(loader, classFile, false);
    }

    /**
     * The same.
     *
     * @param loaded whether the class is loaded already: then it keeps the methods that it has, and gets no other
     */
    public byte @Nullable [] weave(ClassLoader loader, byte[] classFile, boolean loaded) {
        if (!deep.isEmpty()) {
            ClassReader reader = new ClassReader(classFile);
            if (deep.classes().contains(reader.getClassName().replace('/', '.'))) {
                try {
                    return anew(loader, classFile, WovenCache.none(), deep.branches(loader, reader), loaded);
                } catch (RuntimeException tooLarge) {
                    // then its place-holders alone
                }
            }
        }
        if (loaded) {
            return anew(loader, classFile, WovenCache.none(), null, true);
        }
        byte[] kept = cache.find(classFile);
        if (kept != null && kept.length == 0) {
            return null;
        }
        byte[] again = kept == null ? null : again(loader, kept);
        return again == null ? anew(loader, classFile, cache, null, false) : again;
    }

    private byte @Nullable [] again(ClassLoader loader, byte[] kept) {
        try {
            return Numbered.read(kept).renumbered(loader, directory, locks);
        } catch (IOException | RuntimeException notOurs) {
            return null;
        }
    }

    private byte @Nullable [] anew(
            ClassLoader loader, byte[] classFile, WovenCache cache, @Nullable ClassBranches branches, boolean loaded) {
        RuntimeException surprise = null;
        if (!clock && branches == null && !loaded) {
            try {
                return DirectWeaving.anew(directory, locks, loader, classFile, cache);
            } catch (UnusualClassFile unusual) {
                // then whoever knows all there can be in a class file
            } catch (RuntimeException unexpected) {
                surprise = unexpected;
            }
        }
        byte[] woven = new Weaving(directory, clock, locks).anew(loader, classFile, cache, branches, loaded);
        if (surprise != null) {
            surprises.accept(new ClassReader(classFile).getClassName().replace('/', '.'), surprise);
        }
        return woven;
    }
}
