package dev.understudy.agent.reach;

import dev.understudy.agent.weave.ProbePattern;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who calls whom, by class files alone: a call of a method that can be overridden may mean any class there is that
 * overrides it, a lambda is called by whoever makes it, and an object of a class that fills in a library's type is
 * called by whoever makes that.
 *
 * <p>So it has calls that never happen, and lacks those by reflection and generated code. Classes of the same name in
 * several loaders are taken for one. Confined to one thread.
 */
final class CallGraph {
    private static final String OBJECT = "java/lang/Object";

    private final int most;
    private final Map<String, ClassCalls> classes = new HashMap<>();
    /** Types of libraries: what may call back. */
    private final Map<String, ClassCalls> outside = new HashMap<>();
    /** By name: the classes that are that type, directly or not. */
    private final Map<String, Set<ClassCalls>> subtypes = new HashMap<>();

    /** One that follows the calls of {@code most} methods at most. */
    CallGraph(int most) {
        this.most = most;
    }

    /** Takes a class of the application in. */
    void add(ClassCalls one) {
        classes.put(one.name, one);
        subtypes.clear();
    }

    /** Takes a library's type in, whose methods may be called by that library. */
    void addOutside(ClassCalls one) {
        outside.put(one.name, one);
    }

    /** The types above the application's classes of which nothing is known, which may be libraries'. */
    Set<String> missing() {
        Set<String> missing = new LinkedHashSet<>();
        for (Collection<ClassCalls> known : List.of(classes.values(), outside.values())) {
            for (ClassCalls one : known) {
                for (String parent : one.parents) {
                    if (!parent.equals(OBJECT) && !classes.containsKey(parent) && !outside.containsKey(parent)) {
                        missing.add(parent);
                    }
                }
            }
        }
        return missing;
    }

    /** What can be reached from the methods that are meant. */
    Reached from(ProbePattern pattern) {
        Map<String, String> seen = new HashMap<>(); // labels by keys
        Deque<Node> due = new ArrayDeque<>();
        for (ClassCalls one : classes.values()) {
            for (ClassCalls.Method method : one.methods.values()) {
                if (pattern.matches(one.name.replace('/', '.'), method.label())) {
                    visit(new Node(one, method), seen, due);
                }
            }
        }
        int roots = seen.size();
        for (int followed = 0; followed < most && !due.isEmpty(); followed++) {
            Node node = due.remove();
            for (ClassCalls.Call call : node.method.calls) {
                called(call, seen, due);
            }
            for (String made : node.method.made) {
                madeOf(made, seen, due);
            }
        }
        return new Reached(new HashSet<>(seen.values()), roots, due.size());
    }

    private void called(ClassCalls.Call call, Map<String, String> seen, Deque<Node> due) {
        visit(declared(call.owner, call.method), seen, due);
        if (!call.exact && !call.owner.equals(OBJECT)) {
            for (ClassCalls subtype : subtypes(call.owner)) {
                visit(declared(subtype.name, call.method), seen, due);
            }
        }
    }

    /** A library may call what the class does in the place of the library's own types. */
    private void madeOf(String name, Map<String, String> seen, Deque<Node> due) {
        for (String above : above(name)) {
            ClassCalls type = outside.get(above);
            if (type != null) {
                for (ClassCalls.Method method : type.methods.values()) {
                    if (!method.isStatic && !method.name.startsWith("<")) {
                        visit(declared(name, method.name + method.descriptor), seen, due);
                    }
                }
            }
        }
    }

    private static void visit(@Nullable Node node, Map<String, String> seen, Deque<Node> due) {
        if (node != null && seen.putIfAbsent(node.key(), node.label()) == null) {
            due.add(node);
        }
    }

    /**
     * The method that a class has of its own or inherits, if that is the application's: of its superclasses, then of
     * interfaces.
     */
    private @Nullable Node declared(String name, String method) {
        for (String above : above(name)) {
            ClassCalls one = classes.get(above);
            ClassCalls.Method found = one == null ? null : one.methods.get(method);
            if (one != null && found != null) {
                return new Node(one, found);
            }
        }
        return null;
    }

    /** The type and all above it, nearest superclasses first. */
    private Set<String> above(String name) {
        Set<String> all = new LinkedHashSet<>();
        Deque<String> interfaces = new ArrayDeque<>();
        for (String next = name; next != null && all.add(next); ) {
            next = parent(next, interfaces);
            if (next == null) {
                next = interfaces.poll();
            }
            while (next != null && all.contains(next)) {
                next = interfaces.poll();
            }
        }
        return all;
    }

    private @Nullable String parent(String name, Deque<String> interfaces) {
        ClassCalls one = classes.getOrDefault(name, outside.get(name));
        if (one == null || one.parents.isEmpty()) {
            return null;
        }
        interfaces.addAll(one.parents.subList(1, one.parents.size()));
        return one.parents.get(0);
    }

    private Set<ClassCalls> subtypes(String type) {
        if (subtypes.isEmpty()) {
            for (ClassCalls one : classes.values()) {
                for (String above : above(one.name)) {
                    subtypes.computeIfAbsent(above, first -> new HashSet<>()).add(one);
                }
            }
        }
        return subtypes.getOrDefault(type, Set.of());
    }

    private static final class Node {
        final ClassCalls owner;
        final ClassCalls.Method method;

        Node(ClassCalls owner, ClassCalls.Method method) {
            this.owner = owner;
            this.method = method;
        }

        String key() {
            return owner.name + '.' + method.name + method.descriptor;
        }

        /** As a probe on it would be called. */
        String label() {
            return owner.name.replace('/', '.') + '#' + method.label();
        }
    }
}
