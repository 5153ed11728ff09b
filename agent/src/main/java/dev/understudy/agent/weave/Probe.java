package dev.understudy.agent.weave;

import java.util.List;

/** What a probe's number stands for: a method of the application and the gate of its class. */
public final class Probe {
    private final String className;
    private final String method;
    private final int gate;
    private final List<String> annotations;

    Probe(String className, String method, int gate, List<String> annotations) {
        this.className = className;
        this.method = method;
        this.gate = gate;
        this.annotations = annotations;
    }

    /** The class's name with dots. */
    public String className() {
        return className;
    }

    /** The method's name, with its parameters' short type names if the class has several of that name. */
    public String method() {
        return method;
    }

    /** The number of the class's gate. */
    public int gate() {
        return gate;
    }

    /** The names of the method's annotations and of its class's, with dots. */
    public List<String> annotations() {
        return annotations;
    }

    @Override
    public String toString() {
        return className + '#' + method;
    }
}
