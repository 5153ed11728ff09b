package dev.understudy.agent.weave;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What a probe's number stands for: a method of the application and the gate of its class. For any threads. */
public final class Probe {
    private final WovenClass woven;
    private final int index;
    private volatile @Nullable Shown shown;

    Probe(WovenClass woven, String name, String descriptor, boolean overloaded, List<String> annotations) {
        this.woven = woven;
        this.index = 0;
        this.shown = new Shown(name, descriptor, overloaded, annotations);
    }

    /** That of a method that was kept, which is read when somebody asks. */
    Probe(WovenClass woven, int index) {
        this.woven = woven;
        this.index = index;
    }

    /** The class's name with dots. */
    public String className() {
        return woven.name();
    }

    /** The method's name, with its parameters' short type names if the class has several of that name. */
    public String method() {
        return shown().method;
    }

    /** The method's name alone. */
    String name() {
        return shown().name;
    }

    /** Its descriptor. */
    String descriptor() {
        return shown().descriptor;
    }

    /** The number of the class's gate. */
    public int gate() {
        return woven.gate;
    }

    /** The names of the method's annotations and of its class's, with dots. */
    public List<String> annotations() {
        return shown().annotations;
    }

    private Shown shown() {
        if (shown == null) {
            Numbered.Method kept = woven.kept(index);
            shown = new Shown(kept.name, kept.descriptor, kept.overloaded, kept.annotations);
        }
        return Objects.requireNonNull(shown);
    }

    @Override
    public String toString() {
        return className() + '#' + method();
    }

    /** What people see of the method. */
    private static final class Shown {
        private final String name;
        private final String descriptor;
        private final String method;
        private final List<String> annotations;

        Shown(String name, String descriptor, boolean overloaded, List<String> annotations) {
            this.name = name;
            this.descriptor = descriptor;
            this.method = ProbeDirectory.label(name, descriptor, overloaded);
            this.annotations = List.copyOf(annotations);
        }
    }
}
