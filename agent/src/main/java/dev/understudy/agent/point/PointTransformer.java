package dev.understudy.agent.point;

import dev.understudy.agent.weave.ProbePattern;
import dev.understudy.agent.weave.WeavingTransformer;
import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import net.bytebuddy.jar.asm.ClassReader;
import org.jspecify.annotations.Nullable;

/**
 * Weaves points into the few classes that have some; safe for any threads. To be installed after what patches and
 * before what weaves place-holders.
 */
public final class PointTransformer implements ClassFileTransformer {
    private final WeavingTransformer weaving;
    private final PointNumbers numbers = new PointNumbers();
    private volatile Map<String, List<LivePoint>> points = Map.of();
    private volatile List<LivePoint> patterns = List.of();
    private volatile WatchedFields watched = WatchedFields.NONE;

    /** @param weaving knows what is the application's code */
    public PointTransformer(WeavingTransformer weaving) {
        this.weaving = weaving;
    }

    /**
     * From now on these are in force, by the names of their classes with slashes, and those of patterns, and these
     * fields are watched.
     */
    void points(Map<String, List<LivePoint>> inForce, List<LivePoint> ofPatterns, WatchedFields fields) {
        points = Map.copyOf(inForce);
        patterns = List.copyOf(ofPatterns);
        watched = fields;
    }

    /** Whether a loaded class is woven if there is something to weave. */
    boolean covers(Class<?> loaded) {
        return weaving.wants(loaded);
    }

    @Override
    public byte @Nullable [] transform(
            @Nullable ClassLoader loader,
            @Nullable String name,
            @Nullable Class<?> redefined,
            @Nullable ProtectionDomain domain,
            byte[] classFile) {
        WatchedFields fields = watched;
        if (loader == null || name == null) {
            return null;
        }
        List<LivePoint> wanted = points.getOrDefault(name, List.of());
        List<LivePoint> meant = meant(name);
        if (wanted.isEmpty() && meant.isEmpty() && fields.isEmpty()) {
            return null;
        }
        try {
            if (wanted.isEmpty() && meant.isEmpty() && !fields.areUsedIn(new ClassReader(classFile))) {
                return null;
            }
            if (!weaving.covers(loader, name, domain)) {
                wanted.forEach(point -> point.problem(name, "it isn't the application's own code"));
                return null;
            }
            return new PointWeaving(name, wanted, meant, fields, numbers).weave(classFile);
        } catch (Throwable problem) {
            wanted.forEach(point -> point.problem(name, "it can't be woven: " + problem));
            meant.forEach(point -> point.note(name, name.replace('/', '.') + " can't be woven: " + problem));
            return null;
        }
    }

    private List<LivePoint> meant(String name) {
        List<LivePoint> all = patterns;
        if (all.isEmpty()) {
            return all;
        }
        List<LivePoint> meant = new ArrayList<>();
        for (LivePoint point : all) {
            ProbePattern pattern = point.wanted.pattern;
            if (pattern != null && pattern.matchesClass(name.replace('/', '.'))) {
                meant.add(point);
            }
        }
        return meant;
    }
}
