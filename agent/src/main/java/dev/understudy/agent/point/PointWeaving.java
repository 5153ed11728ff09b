package dev.understudy.agent.point;

import dev.understudy.agent.classfile.ClassFile;
import dev.understudy.agent.weave.CodeSizes;
import dev.understudy.agent.weave.Declared;
import dev.understudy.agent.weave.ProbeDirectory;
import dev.understudy.agent.weave.ProbePattern;
import dev.understudy.agent.weave.WantedMethods;
import java.util.ArrayList;
import java.util.BitSet;
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
import net.bytebuddy.jar.asm.MethodTooLargeException;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;

/**
 * Weaves points into one class file. A method that would become too large is left out by itself. Confined to one
 * thread.
 */
final class PointWeaving {
    private static final int MOST_NAMES = 40;
    private static final int SYNTHETIC = Opcodes.ACC_SYNTHETIC | Opcodes.ACC_BRIDGE;

    private final String className;
    private final List<LivePoint> wanted;
    private final List<LivePoint> meant;
    private final PointNumbers numbers;
    private final Map<LivePoint, String> problems = new HashMap<>();
    private final Map<LivePoint, String> notes = new HashMap<>();
    private final BitSet leftOut = new BitSet();
    private final Map<Integer, Map<PointSite, PointPlace>> sites = new LinkedHashMap<>();
    private final WatchedFields fields;
    private final Set<LivePoint> watching = new LinkedHashSet<>();
    private final Map<PointSite, Integer> accesses = new LinkedHashMap<>();

    /**
     * For the class of that name, with slashes.
     *
     * @param meant those of patterns that may mean some of its methods
     */
    PointWeaving(
            String className,
            List<LivePoint> wanted,
            List<LivePoint> meant,
            WatchedFields fields,
            PointNumbers numbers) {
        this.className = className;
        this.wanted = wanted;
        this.meant = meant;
        this.fields = fields;
        this.numbers = numbers;
    }

    /** The woven class file; null if it stays as it is. */
    byte @Nullable [] weave(byte[] classFile) {
        Map<LivePoint, BitSet> ofPatterns = ofPatterns(classFile);
        ClassReader reader = new ClassReader(classFile);
        boolean uses = fields.areUsedIn(reader);
        if (wanted.isEmpty() && ofPatterns.isEmpty() && !uses) {
            return null;
        }
        List<MethodVariables> methods = MethodVariables.of(reader);
        wanted.forEach(point -> choose(point, methods));
        ofPatterns.forEach((point, chosen) -> choose(point, methods, chosen));
        byte[] woven = fitting(reader, methods, uses);
        watching.addAll(wanted);
        for (LivePoint point : watching) {
            point.problem(className, problems.getOrDefault(point, ""));
        }
        watching.addAll(ofPatterns.keySet());
        for (LivePoint point : watching) {
            point.note(className, notes.getOrDefault(point, ""));
        }
        if (woven != null) {
            sites.values().forEach(all -> all.keySet().forEach(site -> site.open(true)));
            accesses.keySet().forEach(site -> site.open(true));
        }
        return woven;
    }

    /** Which methods patterns mean: among those that can have probes. */
    private Map<LivePoint, BitSet> ofPatterns(byte[] classFile) {
        Map<LivePoint, BitSet> found = new LinkedHashMap<>();
        if (meant.isEmpty()) {
            return found;
        }
        ClassFile file = new ClassFile(classFile);
        Declared declared = new Declared(file, SYNTHETIC);
        for (int method = 0; method < file.methods(); method++) {
            String name = file.name(method);
            if (!WantedMethods.include(file.access(method), name, file.codeBytes(method))) {
                continue;
            }
            List<String> annotations = declared.ofMethod(method);
            for (LivePoint point : meant) {
                ProbePattern pattern = point.wanted.pattern;
                if (pattern != null
                        && pattern.matches(className.replace('/', '.'), name, file.descriptor(method), annotations)) {
                    found.computeIfAbsent(point, first -> new BitSet()).set(method);
                }
            }
        }
        return found;
    }

    /** Of a pattern's methods those are left out that it can't be in; which, is noted. */
    private void choose(LivePoint point, List<MethodVariables> methods, BitSet chosen) {
        for (int index = chosen.nextSetBit(0); index >= 0; index = chosen.nextSetBit(index + 1)) {
            MethodVariables method = methods.get(index);
            String label = ProbeDirectory.label(method.name, method.descriptor, true);
            if (point.admits(className, label)) {
                choose(point, method, label, index);
            }
        }
        String problem = problems.remove(point);
        if (problem != null) {
            note(point, problem);
        }
    }

    private void note(LivePoint point, String note) {
        notes.putIfAbsent(point, className.replace('/', '.') + ": " + note);
    }

    private byte @Nullable [] fitting(ClassReader reader, List<MethodVariables> methods, boolean uses) {
        while (!sites.isEmpty() || uses) {
            BitSet tooLarge = new BitSet();
            byte[] woven = null;
            try {
                woven = woven(reader, methods, uses);
                findTooLarge(reader, new ClassReader(woven), tooLarge);
            } catch (MethodTooLargeException tooMuch) {
                int method = indexOf(methods, tooMuch);
                if (method < 0 || leftOut.get(method)) {
                    throw tooMuch;
                }
                tooLarge.set(method);
            }
            if (tooLarge.isEmpty()) {
                return woven;
            }
            leaveOut(tooLarge, methods);
        }
        return null;
    }

    private static int indexOf(List<MethodVariables> methods, MethodTooLargeException tooMuch) {
        for (int index = 0; index < methods.size(); index++) {
            MethodVariables method = methods.get(index);
            if (method.name.equals(tooMuch.getMethodName()) && method.descriptor.equals(tooMuch.getDescriptor())) {
                return index;
            }
        }
        return -1;
    }

    private void findTooLarge(ClassReader before, ClassReader after, BitSet tooLarge) {
        CodeSizes was = CodeSizes.of(before);
        CodeSizes is = CodeSizes.of(after);
        Stream.concat(sites.keySet().stream(), accesses.values().stream())
                .filter(method -> !CodeSizes.staysCompiled(was.bytes(method), is.bytes(method)))
                .forEach(tooLarge::set);
    }

    private void leaveOut(BitSet tooLarge, List<MethodVariables> methods) {
        leftOut.or(tooLarge);
        for (int index = tooLarge.nextSetBit(0); index >= 0; index = tooLarge.nextSetBit(index + 1)) {
            MethodVariables method = methods.get(index);
            String why = ProbeDirectory.label(method.name, method.descriptor, true)
                    + " would become too large for the JIT or the class file";
            Set<PointSite> gone = new LinkedHashSet<>();
            Map<PointSite, PointPlace> here = sites.remove(index);
            if (here != null) {
                gone.addAll(here.keySet());
            }
            int accessed = index;
            accesses.forEach((site, in) -> {
                if (in == accessed) {
                    gone.add(site);
                }
            });
            for (PointSite site : gone) {
                site.point().drop(site);
                note(site.point(), why);
            }
        }
        accesses.clear();
    }

    private void choose(LivePoint point, List<MethodVariables> methods) {
        boolean found = false;
        for (int i = 0; i < methods.size(); i++) {
            MethodVariables method = methods.get(i);
            if (method.isWritten() && point.wanted.means(method.name, method.descriptor)) {
                found = true;
                choose(point, method, ProbeDirectory.label(method.name, method.descriptor, true), i);
            }
        }
        if (!found) {
            problems.put(
                    point,
                    "there is no method " + point.wanted.method + " (expected: one of "
                            + MethodVariables.shortestNames(methods) + ")");
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
                        name + " isn't known at the " + place + " of " + label + " (expected: one of " + known + ")");
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
                method.name,
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
        if (leftOut.get(index)) {
            return told;
        }
        for (LivePoint point : fields.of(access)) {
            String label = ProbeDirectory.label(method.name, method.descriptor, true);
            String used = access.isWrite() ? "written" : "read";
            PointSite site = point.site(
                    List.of(className, label, method.descriptor, used, access.line, access.owner),
                    access.owner.replace('/', '.') + "." + access.name + " is " + used + " in "
                            + className.replace('/', '.') + "#" + label + " line " + access.line,
                    access.name,
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
}
