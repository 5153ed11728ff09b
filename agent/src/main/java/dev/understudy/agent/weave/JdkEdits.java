package dev.understudy.agent.weave;

import dev.understudy.agent.cache.WovenCache;
import dev.understudy.agent.classfile.UnusualClassFile;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Changes classes that are known by name; those of the JDK as an earlier run did where that was kept, so that what
 * changes class files isn't even loaded.
 *
 * <p>The JVM's own loader has one class of a name, so that one is kept of each name, and one more of how the class
 * looks that is loaded already. For any threads: the cache loads none of the known classes while it is locked.
 */
public final class JdkEdits {
    private final WovenCache cache;
    private final BiConsumer<String, Throwable> surprises;

    /**
     * What is kept is in {@code cache}.
     *
     * @param surprises gets the names of classes that have to be taken apart with no reason known: nothing else is lost
     *     by it than time
     */
    public JdkEdits(WovenCache cache, BiConsumer<String, Throwable> surprises) {
        this.cache = cache;
        this.surprises = surprises;
    }

    /** One that keeps nothing. */
    public static JdkEdits unkept() {
        return new JdkEdits(WovenCache.none(), (name, surprise) -> {});
    }

    /** Whether anything was kept, so that most of what is asked for will be there. */
    public boolean areKept() {
        return !cache.isEmpty();
    }

    /**
     * The changed class file as it was kept, or null.
     *
     * @param name with slashes
     */
    public byte @Nullable [] kept(@Nullable ClassLoader loader, String name, boolean loaded, byte[] classFile) {
        return loader == null ? cache.find(key(name, loaded), classFile) : null;
    }

    /**
     * The changed class file, which is kept.
     *
     * @param name with slashes
     * @param edits as {@link VisitedEdits#apply} has them
     * @throws RuntimeException if the class file can't be read
     */
    public byte[] apply(
            @Nullable ClassLoader loader,
            String name,
            boolean loaded,
            byte[] classFile,
            Map<String, MethodEdit> edits) {
        byte[] edited = edited(name, classFile, edits);
        if (loader == null) {
            cache.keep(key(name, loaded), classFile, edited);
        }
        return edited;
    }

    private byte[] edited(String name, byte[] classFile, Map<String, MethodEdit> edits) {
        RuntimeException surprise;
        try {
            return DirectEdits.apply(edits, classFile);
        } catch (UnusualClassFile unusual) {
            return VisitedEdits.apply(edits, classFile);
        } catch (RuntimeException unexpected) {
            surprise = unexpected;
        }
        byte[] edited = VisitedEdits.apply(edits, classFile);
        surprises.accept(name.replace('/', '.'), surprise);
        return edited;
    }

    private static String key(String name, boolean loaded) {
        return loaded ? name + " loaded" : name;
    }
}
