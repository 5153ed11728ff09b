package dev.understudy.agent.point;

import dev.understudy.agent.weave.CodeSizes;
import dev.understudy.agent.weave.ProbeDirectory;
import dev.understudy.agent.weave.WeavingTransformer;
import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;

/**
 * Weaves points into the few classes that have some; safe for any threads. To be installed after what patches and
 * before what weaves place-holders.
 */
public final class PointTransformer implements ClassFileTransformer {
    /** HotSpot doesn't compile what is larger, so nothing grows beyond it that wasn't. */
    private static final int HUGE_BYTES = 8000;

    private static final int LARGEST_BYTES = 60_000;
    private static final int MOST_NAMES = 40;

    private final WeavingTransformer weaving;
    private final PointNumbers numbers = new PointNumbers();
    private volatile Map<String, List<LivePoint>> points = Map.of();
    private volatile WatchedFields watched = WatchedFields.NONE;

    /** @param weaving knows what is the application's code */
    public PointTransformer(WeavingTransformer weaving) {
        this.weaving = weaving;
    }

    /** From now on these are in force, by the names of their classes with slashes, and these fields are watched. */
    void points(Map<String, List<LivePoint>> inForce, WatchedFields fields) {
        points = Map.copyOf(inForce);
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
        List<LivePoint> wanted = name == null ? null : points.getOrDefault(name, List.of());
        if (loader == null || name == null || wanted == null || (wanted.isEmpty() && fields.isEmpty())) {
            return null;
        }
        try {
            if (wanted.isEmpty() && !fields.areUsedIn(new ClassReader(classFile))) {
                return null;
            }
            if (!weaving.covers(loader, name, domain)) {
                wanted.forEach(point -> point.problem(name, "it isn't the application's own code"));
                return null;
            }
            return new Weaving(name, wanted, fields).weave(classFile);
        } catch (Throwable problem) {
            wanted.forEach(point -> point.problem(name, "it can't be woven: " + problem));
            return null;
        }
    }

    /** Confined to one class file. */
    private final class Weaving {
        private final String className;
        private final List<LivePoint> wanted;
        private final Map<LivePoint, String> problems = new HashMap<>();
        private final Map<Integer, Map<PointSite, PointPlace>> sites = new LinkedHashMap<>();
        private final WatchedFields fields;
        private final Set<LivePoint> watching = new LinkedHashSet<>();
        private final Map<PointSite, Integer> accesses = new LinkedHashMap<>();

        Weaving(String className, List<LivePoint> wanted, WatchedFields fields) {
            this.className = className;
            this.wanted = wanted;
            this.fields = fields;
        }

        byte @Nullable [] weave(byte[] classFile) {
            ClassReader reader = new ClassReader(classFile);
            List<MethodVariables> methods = MethodVariables.of(reader);
            wanted.forEach(point -> choose(point, methods));
            boolean uses = fields.areUsedIn(reader);
            byte[] woven = sites.isEmpty() && !uses ? null : woven(reader, methods, uses);
            if (woven != null && isTooLarge(reader, new ClassReader(woven))) {
                watching.addAll(wanted);
                watching.forEach(point -> problems.put(point, "the method would become too large"));
                woven = null;
            }
            watching.addAll(wanted);
            for (LivePoint point : watching) {
                point.problem(className, problems.getOrDefault(point, ""));
            }
            if (woven != null) {
                sites.values().forEach(all -> all.keySet().forEach(site -> site.open(true)));
                accesses.keySet().forEach(site -> site.open(true));
            }
            return woven;
        }

        private void choose(LivePoint point, List<MethodVariables> methods) {
            Set<String> others = new LinkedHashSet<>();
            boolean found = false;
            for (int i = 0; i < methods.size(); i++) {
                MethodVariables method = methods.get(i);
                String label = ProbeDirectory.label(method.name, method.descriptor, true);
                boolean named = point.wanted.method.equals(method.name) || point.wanted.method.equals(label);
                if (method.isWritten() && named) {
                    found = true;
                    choose(point, method, label, i);
                } else if (method.isWritten()) {
                    others.add(method.name);
                }
            }
            if (!found) {
                problems.put(point, "there is no method " + point.wanted.method + " (expected: one of " + others + ")");
            }
        }

        private void choose(LivePoint point, MethodVariables method, String label, int index) {
            PointPlace place = point.wanted.place;
            if (place.at == PointPlace.At.THROW && method.isConstructor()) {
                problems.put(point, "what a constructor throws can't be told (expected: entry or exit)");
                return;
            }
            if (place.at == PointPlace.At.LINE && !method.hasLine(place.line)) {
                problems.put(point, label + " has no code at " + place);
                return;
            }
            Set<String> known = method.names(place);
            List<String> names = new ArrayList<>();
            Set<String> asked = new LinkedHashSet<>();
            if (point.wanted.when != null) {
                asked.addAll(point.wanted.when.names());
            }
            if (point.wanted.message != null) {
                asked.addAll(point.wanted.message.names());
            }
            for (String name : asked) {
                if (!known.contains(name) && method.parameter(name) == null) {
                    problems.put(
                            point,
                            name + " isn't known at the " + place + " of " + label + " (expected: one of " + known
                                    + ")");
                    return;
                }
            }
            if (point.wanted.message == null) {
                names.addAll(known);
            }
            for (String first : List.of("return", "exception")) {
                if (asked.contains(first) && known.contains(first) && !names.contains(first)) {
                    names.add(first);
                }
            }
            asked.stream().filter(name -> !names.contains(name)).forEach(names::add);
            List<String> shown = names.subList(0, Math.min(names.size(), Math.max(MOST_NAMES, asked.size())));
            PointSite site = point.site(
                    List.of(className, label, method.descriptor, List.copyOf(shown)),
                    className.replace('/', '.') + "#" + label + " " + place,
                    shown,
                    numbers);
            if (site.number == 0) {
                problems.put(point, "there were too many points (expected: a restart of the debug JVM)");
            } else {
                sites.computeIfAbsent(index, first -> new LinkedHashMap<>()).put(site, place);
            }
        }

        private List<PointSite> access(FieldVisitor.Access access, MethodVariables method, int index) {
            List<PointSite> told = new ArrayList<>();
            for (LivePoint point : fields.of(access)) {
                String label = ProbeDirectory.label(method.name, method.descriptor, true);
                String used = access.isWrite() ? "written" : "read";
                PointSite site = point.site(
                        List.of(className, label, method.descriptor, used, access.line, access.owner),
                        access.owner.replace('/', '.') + "." + access.name + " is " + used + " in "
                                + className.replace('/', '.') + "#" + label + " line " + access.line,
                        FieldVisitor.names(access),
                        numbers);
                watching.add(point);
                if (site.number == 0) {
                    problems.put(point, "there were too many points (expected: a restart of the debug JVM)");
                } else {
                    accesses.put(site, index);
                    told.add(site);
                }
            }
            return told;
        }

        private byte[] woven(ClassReader reader, List<MethodVariables> methods, boolean uses) {
            ClassWriter writer = new ClassWriter(reader, 0);
            boolean frames = reader.readUnsignedShort(6) >= Opcodes.V1_6;
            ClassVisitor weaver = new ClassVisitor(Opcodes.ASM9, writer) {
                private int index;

                @Override
                public MethodVisitor visitMethod(
                        int access,
                        String name,
                        String descriptor,
                        @Nullable String signature,
                        String @Nullable [] exceptions) {
                    MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
                    int method = index++;
                    if (uses) {
                        next = new FieldVisitor(
                                next, name.equals("<init>"), use -> access(use, methods.get(method), method));
                    }
                    Map<PointSite, PointPlace> here = sites.get(method);
                    return here == null ? next : new PointVisitor(next, className, methods.get(method), here, frames);
                }
            };
            reader.accept(weaver, ClassReader.EXPAND_FRAMES);
            return writer.toByteArray();
        }

        private boolean isTooLarge(ClassReader before, ClassReader after) {
            CodeSizes was = CodeSizes.of(before);
            CodeSizes is = CodeSizes.of(after);
            return Stream.concat(sites.keySet().stream(), accesses.values().stream())
                    .anyMatch(method -> is.bytes(method) >= LARGEST_BYTES
                            || (was.bytes(method) < HUGE_BYTES && is.bytes(method) >= HUGE_BYTES));
        }
    }
}
