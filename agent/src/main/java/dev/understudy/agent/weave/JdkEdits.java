package dev.understudy.agent.weave;

import dev.understudy.agent.cache.WovenCache;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Changes classes that are known by name; those of the JDK as an earlier run did where that was kept, so that what changes class files
 * isn't even loaded.
 *
 * <p>The JVM's own loader has one class of a name, so that one is kept of each name, and one more of how the class looks that is loaded
 * already. For any threads: the cache loads none of the known classes while it is locked.
 */
public final class JdkEdits {
    private final WovenCache cache;

    /** What is kept is in {@code cache}. */
    public JdkEdits(WovenCache cache) {
        this.cache = cache;
    }

    /** One that keeps nothing. */
    public static JdkEdits unkept() {
        return new JdkEdits(WovenCache.none());
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
     * @param edits as {@link MethodEdit#apply} has them
     * @throws RuntimeException if the class file can't be read
     */
    public byte[] apply(
            @Nullable ClassLoader loader,
            String name,
            boolean loaded,
            byte[] classFile,
            Map<String, MethodEdit> edits) {
        byte[] edited = MethodEdit.apply(edits, classFile);
        if (loader == null) {
            cache.keep(key(name, loaded), classFile, edited);
        }
        return edited;
    }

    private static String key(String name, boolean loaded) {
        return loaded ? name + " loaded" : name;
    }
}
